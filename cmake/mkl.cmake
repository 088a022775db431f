# Intel MKL, whose transforms the mkl engine opens at run time: the target weft_mkl has the headers
# and the library's place, and links nothing (src/fft/dfti.cpp says why). MKL is found where
# MKLROOT, CMAKE_PREFIX_PATH, an active virtual environment or the system has it.
if(NOT WEFT_WITH_MKL STREQUAL "OFF")
  set(weft_mkl_places HINTS $ENV{MKLROOT} $ENV{VIRTUAL_ENV} PATHS /opt/intel/oneapi/mkl/latest)
  find_path(MKL_INCLUDE_DIR mkl_dfti.h ${weft_mkl_places} PATH_SUFFIXES include mkl)
  # Without the development link of a system package, the library has only its versioned name.
  find_library(MKL_RT_LIBRARY NAMES mkl_rt libmkl_rt.so.3 libmkl_rt.so.2 libmkl_rt.so.1
               ${weft_mkl_places} PATH_SUFFIXES lib lib/intel64)
  if(MKL_INCLUDE_DIR AND MKL_RT_LIBRARY)
    add_library(weft_mkl INTERFACE)
    target_include_directories(weft_mkl SYSTEM INTERFACE ${MKL_INCLUDE_DIR})
    target_compile_definitions(weft_mkl INTERFACE WEFT_MKL_LIBRARY="${MKL_RT_LIBRARY}")
  elseif(WEFT_WITH_MKL STREQUAL "ON")
    message(FATAL_ERROR "WEFT_WITH_MKL is ON, but Intel MKL was not found: set MKLROOT, or "
                        "MKL_INCLUDE_DIR (of mkl_dfti.h) and MKL_RT_LIBRARY (libmkl_rt)")
  endif()
endif()
