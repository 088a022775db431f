# The kernels of the native engine, compiled for each instruction set and precision: the same few
# files each time. weft_kernel_objects(LIST) compiles them and puts their object files into LIST.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64|i.86")
  set(weft_known_targets AVX3 AVX2 SSE4 SCALAR)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(weft_known_targets NEON SCALAR)
else()
  set(weft_known_targets SCALAR)
endif()
# Among them the one that is used, and the next narrower one, which is where that is faster.
function(weft_targets_of_this_machine list)
  set(names "")
  foreach(target ${weft_known_targets})
    string(APPEND names "if (hwy::SupportedTargets() & HWY_${target}) std::puts(\"${target}\");\n")
  endforeach()
  try_run(ran compiled
          SOURCE_FROM_CONTENT targets.cpp "#include <hwy/targets.h>\n#include <cstdio>\nint main() {\n${names}}\n"
          NO_CACHE LINK_LIBRARIES hwy::hwy RUN_OUTPUT_VARIABLE here)
  if(NOT compiled OR NOT ran EQUAL 0)
    message(FATAL_ERROR "WEFT_TARGETS is native, but a program that asks this machine for its instruction "
                        "sets does not run: say which, of ${weft_known_targets}")
  endif()
  string(REGEX MATCHALL "[A-Z0-9]+" here "${here}")
  list(SUBLIST here 0 2 here)
  set(${list} ${here} PARENT_SCOPE)
endfunction()

set(weft_all_targets ${weft_known_targets})
if(WEFT_SANITIZE)
  # One of the widths, and scalars. ThreadSanitizer does not see what vector instructions write past
  # the caches: scalars only.
  list(REMOVE_ITEM weft_all_targets AVX3 SSE4)
  if("thread" IN_LIST weft_sanitizers)
    set(weft_all_targets SCALAR)
  endif()
endif()
set(WEFT_TARGETS all CACHE STRING
    "Instruction sets that the native engine is compiled for, of ${weft_known_targets}; all; or native: the two best of this machine. Of those the best is used that a machine has")
set(weft_wanted_targets ${WEFT_TARGETS})
if(WEFT_TARGETS STREQUAL "native" AND "AVX2" IN_LIST weft_known_targets)
  weft_targets_of_this_machine(weft_wanted_targets)
elseif(WEFT_TARGETS MATCHES "^(all|native)$")
  set(weft_wanted_targets ${weft_all_targets})
endif()

# Best first. SCALAR runs on any machine, so it is always among them.
set(weft_targets "")
foreach(target ${weft_known_targets})
  if(target IN_LIST weft_wanted_targets OR target STREQUAL "SCALAR")
    list(APPEND weft_targets ${target})
  endif()
endforeach()
foreach(target ${weft_wanted_targets})
  if(NOT target IN_LIST weft_known_targets)
    list(JOIN weft_known_targets ", " known)
    message(FATAL_ERROR "WEFT_TARGETS: ${target} is not an instruction set of ${CMAKE_SYSTEM_PROCESSOR} "
                        "that weft has kernels for; these are ${known}, separated by semicolons, all and native")
  endif()
endforeach()

set(weft_native_dir ${CMAKE_CURRENT_LIST_DIR})
# Beside the sources, targets.inc: WEFT_TARGET(NAME) for each of them, best first.
set(weft_targets_dir ${CMAKE_CURRENT_BINARY_DIR}/kernels)
list(TRANSFORM weft_targets REPLACE "(.+)" "WEFT_TARGET(\\1)\n" OUTPUT_VARIABLE weft_target_lines)
list(JOIN weft_target_lines "" weft_target_lines)
file(CONFIGURE OUTPUT ${weft_targets_dir}/targets.inc CONTENT "${weft_target_lines}" @ONLY)

function(weft_kernel_objects list)
  set(objects "")
  foreach(target ${weft_targets})
    foreach(real float double)
      set(name weft_kernels_${target}_${real})
      add_library(${name} OBJECT ${weft_native_dir}/kernels/lines.cpp
                                 ${weft_native_dir}/kernels/short_lines.cpp
                                 ${weft_native_dir}/kernels/real_lines.cpp
                                 ${weft_native_dir}/kernels/passes.cpp
                                 ${weft_native_dir}/kernels/interleaved_passes.cpp)
      # Highway's headers take as long as the kernels of narrow vectors, which are compiled as one
      # file; those of wider ones take long enough for three.
      set(files_together 5)
      if(target MATCHES "^AVX")
        set(files_together 2)
      endif()
      set_target_properties(${name} PROPERTIES UNITY_BUILD ${WEFT_UNITY_BUILD}
                                               UNITY_BUILD_BATCH_SIZE ${files_together})
      target_compile_definitions(${name} PRIVATE WEFT_TARGET=HWY_${target} WEFT_REAL=${real})
      target_link_libraries(${name} PRIVATE ${ARGN})
      # Whether GCC fuses a multiplication with an addition depends on the code around the butterfly:
      # streamed and plain stores would differ in the last bit.
      target_compile_options(${name} PRIVATE $<$<NOT:$<CXX_COMPILER_ID:MSVC>>:-ffp-contract=off>)
      if(target STREQUAL "AVX2" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Otherwise GCC reads inputs twice to spare registers, and parts the stores of a cache line:
        # 3% in the mean, up to 10%.
        target_compile_options(${name} PRIVATE -fno-schedule-insns2 -mtune=skylake)
      endif()
      if(target STREQUAL "NEON")
        # Highway's NEON is NEON with AES, without which GCC inlines none of it.
        target_compile_options(${name} PRIVATE -march=armv8-a+crypto)
      endif()
      if(WEFT_SANITIZE)
        # Butterflies are straight lines of code, of which a few are as good as all, and slow to compile.
        target_compile_definitions(${name} PRIVATE WEFT_FEW_BUTTERFLIES)
      endif()
      if("undefined" IN_LIST weft_sanitizers)
        target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
      endif()
      if("address" IN_LIST weft_sanitizers)
        # Vectors are values; to follow the end of each one's scope takes six times as long to compile.
        target_compile_options(${name} PRIVATE -fno-sanitize-address-use-after-scope)
      endif()
      list(APPEND objects $<TARGET_OBJECTS:${name}>)
    endforeach()
  endforeach()
  set(${list} ${objects} PARENT_SCOPE)
endfunction()
