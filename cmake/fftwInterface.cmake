# Whether FFTW's MPI interface is built (fftw/). AUTO builds it beside FFTW's own MPI library, which
# takes what weft does not accelerate, unless another project includes weft or a wheel is built. ON
# builds it without that library as well, as with MPICH. It needs fftw3.h and fftw3-mpi.h in any case.
if(WEFT_BUILD_FFTW_INTERFACE STREQUAL "ON")
  find_path(FFTW3_MPI_INCLUDE_DIR fftw3-mpi.h)
  if(NOT (TARGET weft::fftw3 AND FFTW3_MPI_INCLUDE_DIR))
    message(FATAL_ERROR "WEFT_BUILD_FFTW_INTERFACE is ON, but FFTW 3 with fftw3-mpi.h was not found: "
                        "install libfftw3-dev and libfftw3-mpi-dev, or set FFTW3_MPI_INCLUDE_DIR")
  endif()
  add_subdirectory(fftw)
elseif(NOT WEFT_BUILD_FFTW_INTERFACE STREQUAL "OFF" AND TARGET weft::fftw3_mpi AND weft_alone)
  add_subdirectory(fftw)
endif()
