# Compiles the files of machines/ into the library, as raw strings.
# weft_machine_texts(VARIABLE): the source file that defines machine_texts().
function(weft_machine_texts variable)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/machines/*.json)
  list(SORT files)
  set(rows "")
  foreach(path IN LISTS files)
    get_filename_component(name ${path} NAME_WE)
    file(READ ${path} text)
    string(APPEND rows "        {\"${name}\", R\"json(${text})json\"},\n")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(made ${CMAKE_CURRENT_BINARY_DIR}/model/machine_texts.cpp)
  file(CONFIGURE OUTPUT ${made} CONTENT [[
// Made of machines/*.json by src/model/machines.cmake.
#include "model/machine_texts.hpp"

namespace weft::core {

const std::vector<std::pair<std::string_view, std::string_view>>& machine_texts() {
    static const std::vector<std::pair<std::string_view, std::string_view>> texts = {
@rows@    };
    return texts;
}

}  // namespace weft::core
]] @ONLY)
  set(${variable} ${made} PARENT_SCOPE)
endfunction()
