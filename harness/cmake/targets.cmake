# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay_library, assay_program, assay_tool: the kinds of target, with warnings and include root in one place.
add_library(assay_build INTERFACE)
target_include_directories(assay_build INTERFACE ${PROJECT_SOURCE_DIR})
# In a unit of several files, a local name may well be that of another file's function.
set(assay_shadow -Wshadow)
if(ASSAY_UNITY_BUILD)
  set(assay_shadow -Wshadow=local)
endif()
# -Wrestrict is wrong about `"literal" + std::string` in g++ 12 (GCC bug 105651).
set(assay_warnings -Wall -Wextra -Wconversion ${assay_shadow} -Wno-restrict -Werror)
# clang builds the fuzz targets alone, and the warnings that count are g++'s.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(assay_warnings -w)
endif()
foreach(flag ${assay_warnings})
  target_compile_options(assay_build INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${flag}>)
endforeach()
target_compile_options(assay_build INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=-Wall,-Wextra,-Wconversion,-Wshadow,-Werror --Werror=all-warnings>")
if(ASSAY_SANITIZE)
  target_compile_options(assay_build INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer>)
  # GCC warns of instrumented code that it has made itself (-Wmaybe-uninitialized).
  # Checks of every pointer double the time to compile, and what they see crashes or is the address sanitizer's anyway.
  if(ASSAY_SANITIZE MATCHES undefined)
    target_compile_options(assay_build INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute$<SEMICOLON>-Wno-maybe-uninitialized>)
  endif()
  target_link_options(assay_build INTERFACE -fsanitize=${ASSAY_SANITIZE})
  # lld links a test program of these builds in a quarter of the time.
  find_program(ASSAY_LLD ld.lld)
  if(ASSAY_LLD)
    target_link_options(assay_build INTERFACE -fuse-ld=lld)
  endif()
endif()
if(ASSAY_FUZZ)
  target_compile_options(assay_build INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
# Bundled libraries are found next to the program, and by each other: hence DT_RPATH and not DT_RUNPATH.
target_link_options(assay_build INTERFACE -Wl,--disable-new-dtags)
# Where programs search libraries: first where a package has them, then where this machine's were found at configuration, a
# part that installation takes off (install_search_path.cmake). CMake itself would end the RPATH of the build tree with an
# empty part, which the dynamic loader takes for the current folder.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Hardening of everything that reads what others wrote, which is all but libraries of kernels and timed loops (MEASURED):
# those are compiled as ever, so that no measurement includes a bounds check or a canary.
set(assay_hardening -D_GLIBCXX_ASSERTIONS)
if(NOT ASSAY_SANITIZE)
  list(APPEND assay_hardening -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND assay_hardening -fcf-protection)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(APPEND assay_hardening -mbranch-protection=standard)
  endif()
endif()
target_link_options(assay_build INTERFACE -Wl,-z,relro,-z,now)
function(assay_harden target)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${assay_hardening}>")
endfunction()

# assay_sources(variable source ...): patterns such as record/*.cpp become the files that they match, found again by every
# build; !record/other.cpp leaves one of these out.
function(assay_sources variable)
  set(found "")
  set(named "")
  foreach(source ${ARGN})
    if(source MATCHES "[*]")
      file(GLOB files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS ${source})
      list(APPEND found ${files})
    elseif(NOT source MATCHES "^!")
      list(APPEND named ${source})
    endif()
  endforeach()
  foreach(source ${ARGN})
    if(source MATCHES "^!(.+)")
      if(NOT CMAKE_MATCH_1 IN_LIST found)
        message(FATAL_ERROR "${source} leaves out no source (${CMAKE_CURRENT_SOURCE_DIR})")
      endif()
      list(REMOVE_ITEM found ${CMAKE_MATCH_1})
    endif()
  endforeach()
  set(${variable} ${found} ${named} PARENT_SCOPE)
endfunction()

# assay_library(name [COLD | MEASURED] [CASES ...] SOURCES ... [LINK ...] [PRIVATE_LINK ...]). COLD libraries take no time that a
# user notices and are not part of a measurement: at -O1 they compile in two thirds of the time. MEASURED ones hold kernels or
# timed loops and are not hardened. CASES are sources that hand out cases, without `.cpp`: folder/<name>.cpp, or
# folder/<name>_cases.cpp, defines `std::vector<core::Case> <name>_cases(const Surroundings&)`.
function(assay_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;MEASURED" "" "CASES;SOURCES;LINK;PRIVATE_LINK")
  list(TRANSFORM arg_CASES APPEND .cpp OUTPUT_VARIABLE case_sources)
  assay_sources(sources ${arg_SOURCES})
  add_library(${name} STATIC ${case_sources} ${sources})
  set_target_properties(${name} PROPERTIES ASSAY_CASES "${arg_CASES}")
  target_link_libraries(${name} PUBLIC assay_build ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
  if(NOT arg_MEASURED)
    assay_harden(${name})
  endif()
  if(arg_COLD)
    target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>)
  endif()
endfunction()

# assay_case_list(module OF library ...): the library <module>_cases, whose cases(surroundings) hands out the CASES of these
# libraries in their order. A library that this build does not have is left out. The cases of one whose property ASSAY_ABSENT
# names a component, as configure does, are declarations: listed, planned, and `not_built` because it is missing.
# <module>/cases.hpp declares cases() and what `Surroundings` are.
function(assay_case_list module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OF")
  foreach(library ${arg_OF})
    if(TARGET ${library})
      list(APPEND libraries ${library})
      get_target_property(cases ${library} ASSAY_CASES)
      get_target_property(absent ${library} ASSAY_ABSENT)
      foreach(name ${cases})
        string(REGEX REPLACE "^.*/|_cases$" "" name ${name})
        set(made ${name}_cases\(around\))
        if(absent)
          set(made "core::absent(${made}, \"${absent}\")")
        endif()
        string(APPEND declarations "std::vector<core::Case> ${name}_cases(const Surroundings&);\n")
        string(APPEND calls "  std::ranges::move(${made}, std::back_inserter(all));\n")
      endforeach()
    endif()
  endforeach()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/case_list.cpp)
  file(CONFIGURE OUTPUT ${list} @ONLY CONTENT [=[
// Generated from the CASES in @module@/CMakeLists.txt.
#include <algorithm>
#include <iterator>

#include "@module@/cases.hpp"

namespace assay::@module@ {

@declarations@
std::vector<core::Case> cases(const Surroundings& around) {
  std::vector<core::Case> all;
@calls@  return all;
}

}  // namespace assay::@module@
]=])
  assay_library(${module}_cases SOURCES ${list} LINK ${libraries})
endfunction()

# assay_list(target HEADER header NAMESPACE namespace TYPE Thing FOLDER folder NAMES name ...): one list of things. Each is a source
# FOLDER/name.cpp with a function `Thing name_thing()`; `const std::vector<Thing>& things()`, which HEADER declares, has all of
# them in this order.
function(assay_list target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAMESPACE;TYPE;FOLDER" "NAMES")
  string(TOLOWER ${arg_TYPE} thing)
  set(declared "")
  set(listed "")
  foreach(name ${arg_NAMES})
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/${name}.cpp)
    string(APPEND declared "${arg_TYPE} ${name}_${thing}();\n")
    string(APPEND listed "      ${name}_${thing}(),\n")
  endforeach()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${thing}_list.cpp)
  file(CONFIGURE OUTPUT ${list} CONTENT
    "#include \"${arg_HEADER}\"\n\nnamespace ${arg_NAMESPACE} {\n\n${declared}\nconst std::vector<${arg_TYPE}>& ${thing}s() {\n  static const std::vector<${arg_TYPE}> all{\n${listed}  };\n  return all;\n}\n\n}  // namespace ${arg_NAMESPACE}\n" @ONLY)
  target_sources(${target} PRIVATE ${list})
endfunction()

# assay_program(name SOURCES ... LINK ...): built into bin/, installed into bin/.
function(assay_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  assay_harden(${name})
  target_link_options(${name} PRIVATE LINKER:-u,arc4random)  # for libstdc++, by harness/core
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  install(TARGETS ${name} RUNTIME_DEPENDENCY_SET assay_runtime DESTINATION bin)
  set_property(GLOBAL APPEND PROPERTY ASSAY_PROGRAMS ${name})
endfunction()

# assay_tool(name SOURCES ... LINK ...): a program for developers, never installed. A build without tests makes it by name
# only (`cmake --build build/release --target <name>`): who installs assay does not wait for it.
function(assay_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE assay_build ${arg_LINK})
  assay_harden(${name})
  if(NOT ASSAY_BUILD_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()
