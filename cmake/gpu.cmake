# GPUs: finds CUDA and HIP, and says how the sources in folders gpu are compiled for each.
#
# WEFT_CUDA, WEFT_HIP, and WEFT_NCCL for NCCL and RCCL, are OFF, ON, or AUTO (with them, if they are
# there). Results:
#   weft_gpu_kinds  those of cuda and hip that are built
#   weft_gpu_KIND   for each an interface target with the headers, the libraries and the macro of
#                   device/gpu/target.hpp
#   weft_gpu_links  the libraries of all
#   weft_comms_kinds  those kinds that have NCCL
include_guard()

set(weft_gpu_kinds)
set(weft_gpu_links)  # what programs are linked with
set(weft_comms_kinds)

# weft_add_gpu(KIND LINKS target..)
function(weft_add_gpu kind)
  cmake_parse_arguments(gpu "" "" "LINKS" ${ARGN})
  string(TOUPPER ${kind} upper)
  add_library(weft_gpu_${kind} INTERFACE)
  target_compile_definitions(weft_gpu_${kind} INTERFACE WEFT_GPU_${upper})
  target_link_libraries(weft_gpu_${kind} INTERFACE ${gpu_LINKS})
  set(weft_gpu_links ${weft_gpu_links} ${gpu_LINKS} PARENT_SCOPE)
  set(weft_gpu_kinds ${weft_gpu_kinds} ${kind} PARENT_SCOPE)
endfunction()

# Those of data centres that this nvcc knows: code of each, and of the last what later GPUs compile.
function(weft_known_architectures result)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE known)
  string(REGEX MATCHALL "sm_(70|75|80|90|100)\n" known "${known}")
  list(TRANSFORM known REPLACE "sm_([0-9]+)\n" "\\1-real")
  if(known)
    list(POP_BACK known last)
    string(REPLACE -real "" last ${last})
  else()
    set(last 90)
  endif()
  set(${result} ${known} ${last} PARENT_SCOPE)
endfunction()

if(NOT WEFT_CUDA STREQUAL "OFF")
  # check_language() looks for a compiler without an error if there is none, and leaves a word in
  # the cache that says so.
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    # -DCMAKE_CUDA_ARCHITECTURES=90 builds for one kind of GPU only.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      weft_known_architectures(CMAKE_CUDA_ARCHITECTURES)
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit)
  endif()
  if(CMAKE_CUDA_COMPILER AND TARGET CUDA::cufft)
    set(weft_nccl)
    if(NOT WEFT_NCCL STREQUAL "OFF")
      weft_find_nccl()
      if(TARGET weft::nccl)
        set(weft_nccl weft::nccl)
        list(APPEND weft_comms_kinds cuda)
      endif()
    endif()
    weft_add_gpu(cuda LINKS CUDA::cudart_static CUDA::cufft ${weft_nccl})
    # Kernels of many lengths take a third of the room so; drivers of CUDA 12.4 and later read them.
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 12.8)
      string(APPEND CMAKE_CUDA_FLAGS " --compress-mode=size")
    endif()
    # CMake 3.25 does not know how nvcc is told its dialect.
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
  elseif(WEFT_CUDA STREQUAL "ON")
    message(FATAL_ERROR "WEFT_CUDA is ON, but the CUDA toolkit was not found with nvcc and cuFFT: "
                        "set CMAKE_CUDA_COMPILER to nvcc, or WEFT_CUDA=OFF")
  endif()
endif()

if(NOT WEFT_HIP STREQUAL "OFF")
  find_package(hipfft CONFIG QUIET)
  find_package(hip CONFIG QUIET)
  if(TARGET hip::hipfft AND TARGET hip::host)
    enable_language(HIP)
    set(weft_rccl)
    if(NOT WEFT_NCCL STREQUAL "OFF")
      find_package(rccl CONFIG QUIET)
      if(TARGET roc::rccl)
        set(weft_rccl roc::rccl)
        list(APPEND weft_comms_kinds hip)
      endif()
    endif()
    weft_add_gpu(hip LINKS hip::host hip::hipfft ${weft_rccl})
  elseif(WEFT_HIP STREQUAL "ON")
    message(FATAL_ERROR "WEFT_HIP is ON, but HIP was not found with hipFFT: set CMAKE_PREFIX_PATH "
                        "to ROCm, or WEFT_HIP=OFF")
  endif()
endif()

if(WEFT_NCCL STREQUAL "ON" AND NOT "cuda" IN_LIST weft_comms_kinds
   AND NOT "hip" IN_LIST weft_comms_kinds)
  message(FATAL_ERROR "WEFT_NCCL is ON, but neither NCCL beside CUDA nor RCCL beside HIP was found: "
                      "set NCCL_INCLUDE_DIR and NCCL_LIBRARY, or WEFT_NCCL=OFF")
endif()
