# Fortran: finds a compiler, and the module mpi_f08 of the MPI that weft is built with.
#
# WEFT_BUILD_FORTRAN is AUTO (with it, if both are there), ON or OFF. Result: weft_with_fortran.
include_guard()

set(weft_with_fortran OFF)
if(WEFT_BUILD_FORTRAN STREQUAL "OFF")
  return()
endif()
include(CheckLanguage)
check_language(Fortran)
set(weft_fortran_lacks "no Fortran compiler was found: install gfortran, or set CMAKE_Fortran_COMPILER")
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  weft_find_mpi_fortran()
  set(weft_fortran_lacks "the MPI of ${MPI_CXX_COMPILER} has no module mpi_f08 for "
      "${CMAKE_Fortran_COMPILER}: set MPI_Fortran_COMPILER to its mpif90")
  if(TARGET weft::mpi_fortran)
    set(weft_with_fortran ON)
  endif()
endif()
if(WEFT_BUILD_FORTRAN STREQUAL "ON" AND NOT weft_with_fortran)
  message(FATAL_ERROR "WEFT_BUILD_FORTRAN is ON, but " ${weft_fortran_lacks}
                      "; or set WEFT_BUILD_FORTRAN=OFF")
endif()
