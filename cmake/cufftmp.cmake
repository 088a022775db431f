# NVIDIA's cuFFTMp, which weft bench compares with and opens at run time: the target weft_cufftmp has
# the headers and the library's place, and links nothing (tools/measure/cufftmp.hpp says why). It is
# found beside CUDA, in an active virtual environment's package, or where CUFFTMP_INCLUDE_DIR and
# CUFFTMP_LIBRARY say.
if("cuda" IN_LIST weft_gpu_kinds AND NOT WEFT_CUFFTMP STREQUAL "OFF")
  set(weft_cufftmp_places ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_DIR})
  if(DEFINED ENV{VIRTUAL_ENV})
    file(GLOB weft_cufftmp_wheels
         $ENV{VIRTUAL_ENV}/lib/python*/site-packages/nvidia/cufftmp/cu${CUDAToolkit_VERSION_MAJOR})
    list(APPEND weft_cufftmp_places ${weft_cufftmp_wheels})
  endif()
  find_path(CUFFTMP_INCLUDE_DIR cufftMp.h HINTS ${weft_cufftmp_places} PATH_SUFFIXES include cufftmp)
  # Without a development link, the library has only its versioned name.
  find_library(CUFFTMP_LIBRARY NAMES cufftMp libcufftMp.so.12 libcufftMp.so.11
               HINTS ${weft_cufftmp_places} PATH_SUFFIXES lib)
  if(CUFFTMP_INCLUDE_DIR AND CUFFTMP_LIBRARY)
    add_library(weft_cufftmp INTERFACE)
    # Its cufft.h must come before that of CUDA, which may be of another version.
    target_include_directories(weft_cufftmp BEFORE INTERFACE ${CUFFTMP_INCLUDE_DIR})
    target_compile_definitions(weft_cufftmp INTERFACE WEFT_CUFFTMP_LIBRARY="${CUFFTMP_LIBRARY}")
  endif()
endif()
if(WEFT_CUFFTMP STREQUAL "ON" AND NOT TARGET weft_cufftmp)
  message(FATAL_ERROR "WEFT_CUFFTMP is ON, but cuFFTMp was not found beside CUDA: set "
                      "CUFFTMP_INCLUDE_DIR (of cufftMp.h) and CUFFTMP_LIBRARY (libcufftMp), or "
                      "WEFT_CUFFTMP=OFF")
endif()
