# Writes the commit of the checkout SOURCE to the file OUTPUT, as a C string, where it has changed: `-dirty` behind
# it where files differ from it, and nothing where SOURCE is no checkout of its own.
#   cmake -DSOURCE=FOLDER -DOUTPUT=FILE -P commit.cmake
set(commit "")
file(REAL_PATH ${SOURCE} source)
execute_process(COMMAND git -c safe.directory=${source} -C ${source} rev-parse --show-toplevel
                OUTPUT_VARIABLE top ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed STREQUAL "0" AND top STREQUAL source)
  execute_process(COMMAND git -c safe.directory=${source} -C ${source} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(text "\"${commit}\"\n")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUTPUT} ${text})
endif()
