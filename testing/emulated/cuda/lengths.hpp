// The lengths that kernels of the emulated GPU are compiled for: enough to test each way.
#define WEFT_FIXED_LENGTHS(each) each(16) each(60) each(128)
