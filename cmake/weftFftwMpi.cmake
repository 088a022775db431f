# Whether FFTW's MPI libraries were built with the MPI of this project. Linking a program with both
# does not tell: the linker finds what FFTW's library lacks in the other MPI, which that library
# loads, and the program runs with two of them. Both of these have to hold:
#   - all that FFTW's libraries leave undefined is defined by this MPI and by FFTW: one of Open MPI's
#     needs ompi_mpi_int, which MPICH does not have;
#   - FFTW's libraries refer to the handles that this MPI has: Open MPI's MPI_INT is the address of
#     ompi_mpi_int, MPICH's is a number, so one of MPICH's does not refer to ompi_mpi_int.
include_guard()

# weft_undefined_symbols(RESULT FILE): of a library, without the C library's, which have versions.
function(weft_undefined_symbols result file)
  set(dynamic)
  if(NOT file MATCHES "\\.a$")
    set(dynamic -D)
  endif()
  execute_process(COMMAND ${CMAKE_NM} -u ${dynamic} ${file} OUTPUT_VARIABLE text ERROR_QUIET)
  string(REGEX MATCHALL " U [A-Za-z0-9_]+\n" symbols "${text}")
  list(TRANSFORM symbols REPLACE " U ([A-Za-z0-9_]+)\n" "\\1")
  list(REMOVE_DUPLICATES symbols)
  set(${result} "${symbols}" PARENT_SCOPE)
endfunction()

# weft_handles_of_mpi(RESULT FOLDER SUFFIX): what MPI_INT refers to with this MPI.
function(weft_handles_of_mpi result folder suffix)
  file(WRITE ${folder}/handle.${suffix}
       "#include <mpi.h>\nMPI_Datatype weft_handle(void);\nMPI_Datatype weft_handle(void) { return MPI_INT; }\n")
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  unset(weft_handle_compiles CACHE)
  try_compile(weft_handle_compiles ${folder}/handle SOURCES ${folder}/handle.${suffix}
              LINK_LIBRARIES weft::mpi COPY_FILE ${folder}/handle.a)
  unset(weft_handle_compiles CACHE)
  weft_undefined_symbols(symbols ${folder}/handle.a)
  # Others are the compiler's, as of its sanitizers.
  list(FILTER symbols EXCLUDE REGEX "^_")
  set(${result} "${symbols}" PARENT_SCOPE)
endfunction()

# weft_fftw_mpi_objection(RESULT library..): why FFTW's MPI libraries of both precisions are not of
# this MPI; empty if they are. After weft::mpi and weft::fftw3 have been made.
function(weft_fftw_mpi_objection result)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(suffix c)
  if("CXX" IN_LIST languages)
    set(suffix cpp)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/weft-fftw-mpi)
  weft_handles_of_mpi(handles ${folder} ${suffix})
  set(needs)
  foreach(library ${ARGN})
    weft_undefined_symbols(symbols ${library})
    foreach(handle ${handles})
      if(symbols AND NOT handle IN_LIST symbols)
        set(${result} "${library} does not refer to this MPI's ${handle}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
    list(APPEND needs ${symbols})
  endforeach()
  list(FILTER needs EXCLUDE REGEX "^_GLOBAL_OFFSET_TABLE_$")
  list(REMOVE_DUPLICATES needs)
  set(declared "")
  set(addresses "")
  foreach(symbol ${needs})
    list(FIND needs ${symbol} number)
    string(APPEND declared "extern char need_${number} __asm__(\"${symbol}\");\n")
    string(APPEND addresses "&need_${number}, ")
  endforeach()
  file(WRITE ${folder}/program.${suffix} "#include <mpi.h>\n#include <fftw3-mpi.h>\n${declared}
int main(int argc, char** argv) {
    static char* volatile needs[] = {${addresses}0};
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    fftwf_mpi_init();
    return needs[argc - 1] == 0;
}
")
  unset(weft_fftw_mpi_links CACHE)
  try_compile(weft_fftw_mpi_links ${folder}/program SOURCES ${folder}/program.${suffix}
              LINK_LIBRARIES ${ARGN} weft::fftw3 weft::mpi m
              CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${FFTW3_MPI_INCLUDE_DIR} OUTPUT_VARIABLE output)
  set(objection "")
  if(NOT weft_fftw_mpi_links)
    set(objection "no program links with ${ARGN}")
    if(output MATCHES "undefined (reference to|symbol:)( symbol)? [`']?([A-Za-z0-9_]+)")
      set(objection "${ARGN} need ${CMAKE_MATCH_3}, which this MPI does not have")
    endif()
  endif()
  unset(weft_fftw_mpi_links CACHE)
  string(REPLACE ";" " and " objection "${objection}")
  set(${result} "${objection}" PARENT_SCOPE)
endfunction()
