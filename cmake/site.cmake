# The pages as a site: docs/ and the reference of the headers, by Sphinx and Doxygen.

# weft_find_site_tools(RESULT): the Python that has Sphinx and what docs/conf.py needs, where doxygen is too; empty
# if something is missing.
function(weft_find_site_tools result)
  find_program(WEFT_DOXYGEN doxygen)
  mark_as_advanced(WEFT_DOXYGEN)
  find_package(Python COMPONENTS Interpreter)
  set(${result} "" PARENT_SCOPE)
  if(WEFT_DOXYGEN AND Python_EXECUTABLE)
    execute_process(COMMAND ${Python_EXECUTABLE} -c "import breathe, ford, furo, matplotlib, myst_nb, numpy, sphinx, sphinx_design"
                    RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
    if(NOT missing)
      set(${result} ${Python_EXECUTABLE} PARENT_SCOPE)
    endif()
  endif()
endfunction()

if(WEFT_BUILD_SITE)
  weft_find_site_tools(weft_site_python)
  if(NOT weft_site_python)
    message(FATAL_ERROR "WEFT_BUILD_SITE is ON, but doxygen, or a package of docs/sphinx/build.py for "
                        "${Python_EXECUTABLE} was not found: install doxygen, and breathe, ford, furo, matplotlib, myst-nb, "
                        "numpy, sphinx and sphinx-design in the environment of -DPython_EXECUTABLE")
  endif()
  set(weft_site_command "")
  if(WEFT_BUILD_CLI)
    set(weft_site_command $<TARGET_FILE:weft_command>)
  endif()
  add_custom_target(weft_site
    COMMAND ${weft_site_python} ${PROJECT_SOURCE_DIR}/docs/sphinx/build.py ${PROJECT_BINARY_DIR}/site
            ${weft_site_command}
    COMMENT "Building the site in ${PROJECT_BINARY_DIR}/site" VERBATIM USES_TERMINAL)
  if(WEFT_BUILD_CLI)
    add_dependencies(weft_site weft_command)
  endif()
endif()
