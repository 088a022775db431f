# The sources of GPUs, compiled once for each kind that there is (cmake/gpu.cmake). Kernels are in
# files of each kind, in the language of its compiler. Sets weft_gpu_objects.
file(GLOB weft_gpu_sources CONFIGURE_DEPENDS device/gpu/*.cpp fft/gpu/*.cpp)
list(FILTER weft_gpu_sources EXCLUDE REGEX "fft/gpu/calls.cpp$")
file(GLOB weft_kernels_of_cuda CONFIGURE_DEPENDS device/cuda/*.cu)
file(GLOB weft_kernels_of_hip CONFIGURE_DEPENDS device/hip/*.hip)

# What ranks exchange by from device to device: knows no MPI.
file(GLOB weft_comms_sources CONFIGURE_DEPENDS net/gpu/*.cpp)

# Lengths that kernels are compiled for, other than those of device/gpu/line_shape.hpp.
set(weft_gpu_lengths)
if(WEFT_GPU_LENGTHS)
  list(TRANSFORM WEFT_GPU_LENGTHS REPLACE "(.+)" "each(\\1)" OUTPUT_VARIABLE weft_gpu_lengths)
  list(JOIN weft_gpu_lengths " " weft_gpu_lengths)
  file(CONFIGURE OUTPUT gpu_lengths.hpp CONTENT "#define WEFT_FIXED_LENGTHS(each) @weft_gpu_lengths@\n" @ONLY)
endif()

set(weft_gpu_objects)
foreach(kind ${weft_gpu_kinds})
  set(weft_comms)
  if(kind IN_LIST weft_comms_kinds)
    set(weft_comms ${weft_comms_sources})
  endif()
  add_library(weft_objects_${kind} OBJECT ${weft_gpu_sources} ${weft_kernels_of_${kind}} ${weft_comms})
  if(weft_gpu_lengths)
    target_compile_definitions(weft_objects_${kind} PRIVATE
      WEFT_GPU_LENGTHS_HEADER="${CMAKE_CURRENT_BINARY_DIR}/gpu_lengths.hpp")
  endif()
  target_link_libraries(weft_objects_${kind} PRIVATE weft_sources weft_gpu_${kind} Threads::Threads)
  set_target_properties(weft_objects_${kind} PROPERTIES UNITY_BUILD ${WEFT_UNITY_BUILD}
                                                        UNITY_BUILD_BATCH_SIZE 12)
  list(APPEND weft_gpu_objects $<TARGET_OBJECTS:weft_objects_${kind}>)
endforeach()
