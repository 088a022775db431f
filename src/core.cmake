# weft-core: all that knows no MPI.

# Values.
weft_folder(base FILES random.cpp text.cpp transports.cpp work.cpp)
weft_folder(geometry
            FILES box.cpp box_list.cpp distribution.cpp layout.cpp partition.cpp process_grid.cpp
                  row_wise.cpp)
weft_folder(exchange FILES matrix.cpp schedule.cpp transfers.cpp via.cpp)
weft_folder(plan
            FILES choice_text.cpp explain.cpp graph.cpp path.cpp plan.cpp problem.cpp problem_text.cpp
                  search.cpp tiling.cpp tiling_text.cpp volume_table.cpp)
weft_folder(program FILES account.cpp direct_move.cpp fused.cpp fused_move.cpp lower.cpp lower_fused.cpp move.cpp
                  pipeline.cpp poll.cpp program.cpp stage_lowering.cpp storage.cpp tile_lowering.cpp
                  transform_task.cpp transposition.cpp window.cpp)
weft_folder(tune FILES methods.cpp)

# Effects.
weft_folder(memory FILES buffer.cpp shared_memory.cpp)
weft_folder(threads LINKS Threads::Threads FILES team.cpp)
weft_folder(kernels FILES copy.cpp)
weft_folder(fft
            FILES cost.cpp engine.cpp reference.cpp reference_line.cpp team_engine.cpp tiles.cpp
                  native/contiguous_lines.cpp native/convolution.cpp native/engine.cpp
                  native/factorize.cpp native/kernels_f32.cpp native/kernels_f64.cpp
                  native/lines.cpp native/long_lines.cpp native/long_real_lines.cpp
                  native/mixed_radix.cpp native/numbers.cpp native/short_lines.cpp
                  native/tile_lines.cpp)
target_link_libraries(weft_fft PUBLIC hwy::hwy)
set_target_properties(weft_fft PROPERTIES UNITY_BUILD OFF)
# One instruction set for each width that is common, and those whose vectors have a known width.
# Sanitized, one of the widths and scalars.
set(weft_disabled_targets
    "HWY_SSSE3|HWY_AVX3_DL|HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128|HWY_RVV")
if(WEFT_SANITIZE)
  string(APPEND weft_disabled_targets "|HWY_SSE4|HWY_AVX3")
endif()
target_compile_definitions(weft_fft PRIVATE "HWY_DISABLED_TARGETS=(${weft_disabled_targets})")
if("thread" IN_LIST weft_sanitizers)
  # ThreadSanitizer does not see what vector instructions write past the caches: scalars only.
  target_compile_definitions(weft_fft PRIVATE HWY_COMPILE_ONLY_STATIC)
endif()
if(TARGET weft::fftw3)
  target_sources(weft_fft PRIVATE fft/fftw.cpp)
  target_compile_definitions(weft_fft PRIVATE WEFT_WITH_FFTW)
  target_link_libraries(weft_fft PUBLIC weft::fftw3)
endif()
if(TARGET weft_mkl)
  target_sources(weft_fft PRIVATE fft/dfti.cpp fft/mkl.cpp)
  target_compile_definitions(weft_fft PRIVATE WEFT_WITH_MKL)
  target_link_libraries(weft_fft PRIVATE weft_mkl)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  # Highway's NEON is NEON with AES, without which GCC inlines none of it.
  set_property(SOURCE fft/native/kernels_f32.cpp fft/native/kernels_f64.cpp
               APPEND PROPERTY COMPILE_OPTIONS -march=armv8-a+crypto)
endif()
if(WEFT_SANITIZE)
  # Butterflies are straight lines of code, of which a few are as good as all, and slow to compile.
  target_compile_definitions(weft_fft PRIVATE WEFT_FEW_BUTTERFLIES)
endif()
if("undefined" IN_LIST weft_sanitizers)
  set_property(SOURCE fft/native/kernels_f32.cpp fft/native/kernels_f64.cpp
               APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=undefined)
  foreach(folder kernels fft)
    target_compile_options(weft_${folder} PRIVATE -fsanitize=alignment)
  endforeach()
endif()

set(weft_core_objects "")
foreach(folder base geometry exchange plan program tune memory threads kernels fft)
  list(APPEND weft_core_objects $<TARGET_OBJECTS:weft_${folder}>)
endforeach()
add_library(weft-core STATIC ${weft_core_objects})
set_target_properties(weft-core PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME core)
target_link_libraries(weft-core PUBLIC ${weft_core_links})
