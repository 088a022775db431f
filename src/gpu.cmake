# The sources of GPUs, compiled once for each kind that there is (cmake/gpu.cmake). Kernels are in
# one more file of each kind, in the language of its compiler. Sets weft_gpu_objects.
file(GLOB weft_gpu_sources CONFIGURE_DEPENDS device/gpu/*.cpp fft/gpu/*.cpp)
list(FILTER weft_gpu_sources EXCLUDE REGEX "fft/gpu/calls.cpp$")
set(weft_kernels_of_cuda device/cuda/kernels.cu)
set(weft_kernels_of_hip device/hip/kernels.hip)
file(GLOB weft_kernels_of_emulated CONFIGURE_DEPENDS device/emulated/*.cpp fft/emulated/*.cpp)

# What ranks exchange by from device to device: knows no MPI.
file(GLOB weft_comms_sources CONFIGURE_DEPENDS net/gpu/*.cpp)
file(GLOB weft_comms_of_emulated CONFIGURE_DEPENDS net/emulated/*.cpp)

set(weft_gpu_objects)
foreach(kind ${weft_gpu_kinds})
  set(weft_comms)
  if(kind IN_LIST weft_comms_kinds)
    set(weft_comms ${weft_comms_sources} ${weft_comms_of_${kind}})
  endif()
  add_library(weft_objects_${kind} OBJECT ${weft_gpu_sources} ${weft_kernels_of_${kind}} ${weft_comms})
  target_link_libraries(weft_objects_${kind} PRIVATE weft_sources weft_gpu_${kind} Threads::Threads)
  set_target_properties(weft_objects_${kind} PROPERTIES UNITY_BUILD ${WEFT_UNITY_BUILD}
                                                        UNITY_BUILD_BATCH_SIZE 12)
  list(APPEND weft_gpu_objects $<TARGET_OBJECTS:weft_objects_${kind}>)
endforeach()
