# cmake --install: the library, its headers, the command, and what find_package(weft) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(weft_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set(weft_installed_targets weft)
if(TARGET weft_fftw3)
  list(APPEND weft_installed_targets weft_fftw3)
endif()
if(TARGET weft_fftw3_mpi)
  list(APPEND weft_installed_targets weft_fftw3_mpi)
endif()
install(TARGETS ${weft_installed_targets} EXPORT weftTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS weft_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT weftTargets NAMESPACE weft:: DESTINATION ${weft_cmake_dir})
configure_package_config_file(cmake/weftConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake INSTALL_DESTINATION ${weft_cmake_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weftConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/weftConfigVersion.cmake DESTINATION ${weft_cmake_dir})
