# Tests of a program of GoogleTest, one process for each of its suites: to start one takes longer than
# most tests, with sanitizers many times as long. `check` counts the single tests that a process says it ran.
#
# weft_test_suites(TARGET PREFIX SECONDS): tests PREFIX.SUITE, which are asked for when ctest starts.
function(weft_test_suites target prefix seconds)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  file(GENERATE OUTPUT ${include} CONTENT "set(target ${target})
set(program [==[$<TARGET_FILE:${target}>]==])
set(prefix ${prefix})
set(seconds ${seconds})
include([==[${PROJECT_SOURCE_DIR}/tests/suites_of.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
