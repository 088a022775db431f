# The libraries that weft is linked with, under names that its build and its installed package
# share. Reads WEFT_WITH_FFTW; makes the targets
#   weft::mpi        the MPI of this project, by C where the project has no C++
#   weft::mpi_fortran  its Fortran interface, if it has the module mpi_f08
#   weft::fftw3      FFTW 3 in both precisions, if it is wanted and there
#   weft::fftw3_mpi  its MPI transforms, if they are there and of this MPI
#   weft::nccl       NCCL, if it is there, beside CUDA or where NCCL_INCLUDE_DIR and NCCL_LIBRARY say
include_guard()
include(${CMAKE_CURRENT_LIST_DIR}/weftFftwMpi.cmake)

# weft_family_of(RESULT library..): which MPI it is, by the names of its libraries: "openmpi", "mpich",
# "abi" for any MPI that has the standard's binary interface, or "" if they tell nothing.
function(weft_family_of result)
  set(family "")
  foreach(library ${ARGN})
    file(REAL_PATH ${library} library)
    if(library MATCHES "libmpi_abi\\.")
      set(family abi)
    elseif(library MATCHES "mpich")
      set(family mpich)
    elseif(library MATCHES "openmpi|open-mpi|libmpi\\.so\\.(40|80)")
      set(family openmpi)
    endif()
  endforeach()
  set(${result} "${family}" PARENT_SCOPE)
endfunction()

function(weft_find_mpi)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(language C)
  if("CXX" IN_LIST languages)
    set(language CXX)
  endif()
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI COMPONENTS ${language})
  if(NOT MPI_${language}_FOUND)
    message(FATAL_ERROR
      "weft needs an MPI, and CMake finds none. Install one with its headers and compiler wrapper, as docs/install.md "
      "says, or name the wrapper: -DMPI_${language}_COMPILER=/path/to/wrapper; pip takes that from the variable "
      "CMAKE_ARGS.")
  endif()
  if(NOT TARGET weft::mpi)
    add_library(weft::mpi INTERFACE IMPORTED GLOBAL)
    set_target_properties(weft::mpi PROPERTIES INTERFACE_LINK_LIBRARIES MPI::MPI_${language})
  endif()
  weft_family_of(family ${MPI_${language}_LIBRARIES})
  # MPICH's header has the binary interface of the library that is linked only with this, which CMake does not take from
  # the compiler wrapper mpicxx_abi.
  if(family STREQUAL "abi")
    set_property(TARGET weft::mpi PROPERTY INTERFACE_COMPILE_DEFINITIONS MPI_ABI)
  endif()
  set(weft_mpi_family "${family}" PARENT_SCOPE)
  set(weft_mpi_libraries "${MPI_${language}_LIBRARIES}" PARENT_SCOPE)
endfunction()

# After weft_find_mpi, in a project that has Fortran. The wrappers of an MPI lie in one folder under
# names that are alike; where there are several MPIs, CMake by itself might find another one's.
function(weft_find_mpi_fortran)
  foreach(wrapper ${MPI_CXX_COMPILER} ${MPI_C_COMPILER})
    cmake_path(GET wrapper FILENAME name)
    cmake_path(GET wrapper PARENT_PATH folder)
    if(name MATCHES "^mpi(cxx|c\\+\\+|CC|cc)(.*)$")
      find_program(MPI_Fortran_COMPILER NAMES mpif90${CMAKE_MATCH_2} HINTS ${folder})
    endif()
  endforeach()
  find_package(MPI QUIET COMPONENTS Fortran)
  weft_family_of(family ${MPI_Fortran_LIBRARIES})
  if(MPI_Fortran_HAVE_F08_MODULE AND family STREQUAL weft_mpi_family AND NOT TARGET weft::mpi_fortran)
    add_library(weft::mpi_fortran INTERFACE IMPORTED GLOBAL)
    foreach(property INCLUDE_DIRECTORIES COMPILE_DEFINITIONS LINK_LIBRARIES LINK_OPTIONS)
      get_target_property(value MPI::MPI_Fortran INTERFACE_${property})
      if(value)
        set_property(TARGET weft::mpi_fortran PROPERTY INTERFACE_${property} "${value}")
      endif()
    endforeach()
    # MPI::MPI_Fortran gives MPICH's options to C as well, whose compiler does not know them.
    get_target_property(options MPI::MPI_Fortran INTERFACE_COMPILE_OPTIONS)
    if(options)
      set_property(TARGET weft::mpi_fortran PROPERTY
                   INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:Fortran>:${options}>")
    endif()
  endif()
endfunction()

function(weft_add_imported name include libraries)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${libraries}")
    set_property(TARGET ${name} PROPERTY INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${include})
    set_property(TARGET ${name} PROPERTY INTERFACE_INCLUDE_DIRECTORIES ${include})
  endif()
endfunction()

# After weft_find_mpi. weft_fftw_mpi_lacks: why there is no weft::fftw3_mpi.
function(weft_find_fftw)
  find_path(FFTW3_INCLUDE_DIR fftw3.h)
  find_library(FFTW3_LIBRARY fftw3)
  find_library(FFTW3F_LIBRARY fftw3f)
  if(NOT (FFTW3_INCLUDE_DIR AND FFTW3_LIBRARY AND FFTW3F_LIBRARY))
    return()
  endif()
  weft_add_imported(weft::fftw3 ${FFTW3_INCLUDE_DIR} "${FFTW3_LIBRARY};${FFTW3F_LIBRARY}")
  find_path(FFTW3_MPI_INCLUDE_DIR fftw3-mpi.h)
  find_library(FFTW3_MPI_LIBRARY fftw3_mpi)
  find_library(FFTW3F_MPI_LIBRARY fftw3f_mpi)
  set(weft_fftw_mpi_lacks "it is not found in both precisions" PARENT_SCOPE)
  if(NOT (FFTW3_MPI_INCLUDE_DIR AND FFTW3_MPI_LIBRARY AND FFTW3F_MPI_LIBRARY))
    return()
  endif()
  # Asked once for these libraries.
  set(pair "${FFTW3_MPI_LIBRARY};${FFTW3F_MPI_LIBRARY};${weft_mpi_libraries}")
  if(NOT "${pair}" STREQUAL "${WEFT_FFTW_MPI_PAIR}")
    weft_fftw_mpi_objection(objection ${FFTW3_MPI_LIBRARY} ${FFTW3F_MPI_LIBRARY})
    set(WEFT_FFTW_MPI_OBJECTION "${objection}" CACHE INTERNAL "Why FFTW's MPI library is not of this MPI")
    set(WEFT_FFTW_MPI_PAIR "${pair}" CACHE INTERNAL "The libraries of that answer")
  endif()
  set(weft_fftw_mpi_lacks "${WEFT_FFTW_MPI_OBJECTION}" PARENT_SCOPE)
  if(NOT WEFT_FFTW_MPI_OBJECTION)
    weft_add_imported(weft::fftw3_mpi ${FFTW3_MPI_INCLUDE_DIR}
                      "${FFTW3_MPI_LIBRARY};${FFTW3F_MPI_LIBRARY};weft::fftw3")
  endif()
endfunction()

# After find_package(CUDAToolkit).
function(weft_find_nccl)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR} ${CUDAToolkit_LIBRARY_ROOT}/lib)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    weft_add_imported(weft::nccl ${NCCL_INCLUDE_DIR} ${NCCL_LIBRARY})
  endif()
endfunction()
