# cmake --install: the library, its headers, the machines that it knows, the command if it was built, and what find_package(weft)
# and pkg-config need. Nothing installed names a path of this machine.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(weft_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
get_target_property(weft_type weft TYPE)

# A shared libweft has weft-core in it; a static one needs it beside.
set(weft_libraries weft)
if(NOT weft_type STREQUAL "SHARED_LIBRARY")
  if(WEFT_CORE_LIBRARY)
    install(FILES ${WEFT_CORE_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR})
  else()
    list(APPEND weft_libraries weft-core)
  endif()
endif()
set_target_properties(weft PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS ${weft_libraries} weft_cxx EXPORT weftTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# They are compiled in as well; these are to be read, copied and changed.
install(DIRECTORY machines DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
if(WEFT_BUILD_CLI)
  file(RELATIVE_PATH weft_bin_to_lib /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(weft_command PROPERTIES INSTALL_RPATH "$ORIGIN/${weft_bin_to_lib}"
                                                INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS weft_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # OPTIONAL: where the command alone was built they are not there.
  if(TARGET weft_manual)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} OPTIONAL)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/share/bash-completion ${PROJECT_BINARY_DIR}/share/zsh
                      ${PROJECT_BINARY_DIR}/share/fish
            DESTINATION ${CMAKE_INSTALL_DATADIR} OPTIONAL)
  endif()
endif()

# Modules are of one compiler, so they are apart from the headers; and so are the targets, which only
# projects that have Fortran can use.
if(weft_with_fortran)
  set_target_properties(weft_fortran PROPERTIES INSTALL_RPATH "$ORIGIN"
                                                INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS weft_fortran EXPORT weftFortranTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_BINARY_DIR}/fortran/modules/
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft/fortran FILES_MATCHING PATTERN *.mod)
  install(EXPORT weftFortranTargets NAMESPACE weft:: DESTINATION ${weft_cmake_dir})
endif()
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${weft_cmake_dir})

# What has to be built before, without studies, examples and tests: what ./quickstart builds.
add_custom_target(weft_installed)
add_dependencies(weft_installed ${weft_libraries})
foreach(target weft_command weft_manual weft_fortran weft_fftw3_mpi weft_fftw3f_mpi)
  if(TARGET ${target})
    add_dependencies(weft_installed ${target})
  endif()
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt
                                      -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
                    VERBATIM)
endif()

set(weft_with_fftw OFF)
if(TARGET weft::fftw3)
  set(weft_with_fftw ON)
endif()
set(weft_core_is_a_file OFF)
if(WEFT_CORE_LIBRARY AND NOT weft_type STREQUAL "SHARED_LIBRARY")
  set(weft_core_is_a_file ON)
endif()
set(weft_core_links fmt::fmt hwy::hwy Threads::Threads ${CMAKE_DL_LIBS} ${weft_gpu_links})
if(TARGET weft::fftw3)
  list(APPEND weft_core_links weft::fftw3)
endif()
# What is looked for where weft is used: the libraries of GPUs, by the names of cmake/gpu.cmake.
foreach(kind cuda hip)
  set(weft_with_${kind} OFF)
  if(TARGET weft_gpu_${kind})
    set(weft_with_${kind} ON)
  endif()
endforeach()
set(weft_with_nccl OFF)
if(TARGET weft::nccl)
  set(weft_with_nccl ON)
endif()
set(weft_libdir ${CMAKE_INSTALL_LIBDIR})
configure_package_config_file(cmake/weftConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake INSTALL_DESTINATION ${weft_cmake_dir}
  PATH_VARS weft_libdir)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake cmake/weftDependencies.cmake cmake/weftFftwMpi.cmake
        DESTINATION ${weft_cmake_dir})

# weft.pc. MPI comes with the compiler wrapper (mpicc, mpicxx) that the program is built with.
file(RELATIVE_PATH weft_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" weft_pc_prefix "${weft_pc_prefix}")
set(weft_pc_libs "-lweft")
set(weft_pc_requires "")
if(NOT weft_type STREQUAL "SHARED_LIBRARY")
  set(weft_pc_requires "fmt libhwy")
  if(TARGET weft::fftw3)
    string(APPEND weft_pc_requires " fftw3 fftw3f")
  endif()
  if(TARGET weft::fftw3_mpi)
    string(APPEND weft_pc_libs " -lfftw3_mpi -lfftw3f_mpi")
  endif()
  string(REPLACE "-lweft" "-lweft -lweft-core" weft_pc_libs "${weft_pc_libs}")
  # They have no files of pkg-config's where it looks; LIBRARY_PATH says where they are.
  if(weft_with_cuda)
    string(APPEND weft_pc_libs " -lcufft -lcudart_static -lrt")
    if(weft_with_nccl)
      string(APPEND weft_pc_libs " -lnccl")
    endif()
  endif()
  if(weft_with_hip)
    string(APPEND weft_pc_libs " -lhipfft -lamdhip64")
    if(hip IN_LIST weft_comms_kinds)
      string(APPEND weft_pc_libs " -lrccl")
    endif()
  endif()
  string(APPEND weft_pc_libs " -lstdc++ -lm -pthread -ldl")
endif()
# weft and weft-c have the same flags, as weft::weft and weft::c have but for C++20.
set(weft_pc_name weft)
set(weft_pc_languages ", in C++20 and C")
configure_file(cmake/weft.pc.in ${CMAKE_CURRENT_BINARY_DIR}/weft.pc @ONLY)
set(weft_pc_name weft-c)
set(weft_pc_languages ", in C and C++17")
configure_file(cmake/weft.pc.in ${CMAKE_CURRENT_BINARY_DIR}/weft-c.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weft.pc ${CMAKE_CURRENT_BINARY_DIR}/weft-c.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(weft_with_fortran)
  configure_file(cmake/weft-fortran.pc.in ${CMAKE_CURRENT_BINARY_DIR}/weft-fortran.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weft-fortran.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
