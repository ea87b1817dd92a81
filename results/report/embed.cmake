# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ file that holds FILES ("name=path" each) as string views in assay::results::assets.
set(code "// Generated from results/report.\n#include \"results/report/assets.hpp\"\n\nnamespace assay::results::assets {\n")
foreach(entry IN LISTS FILES)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${entry}")
  set(name ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(APPEND code "static const unsigned char ${name}_bytes[] = {${bytes}0};\n"
         "const std::string_view ${name}(reinterpret_cast<const char*>(${name}_bytes), ${size});\n")
endforeach()
string(APPEND code "}  // namespace assay::results::assets\n")
file(WRITE "${OUTPUT}" "${code}")
