# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# cmake -D PRESET=name -P preset_settings.cmake: prints the cache variables of a configure preset as -D arguments,
# one a line, for a CMake that cannot read presets of version 6 (scripts/configure).
cmake_minimum_required(VERSION 3.22)
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../CMakePresets.json presets)

function(find_preset name result)
  string(JSON last LENGTH "${presets}" configurePresets)
  math(EXPR last "${last} - 1")
  foreach(index RANGE ${last})
    string(JSON candidate GET "${presets}" configurePresets ${index} name)
    if(candidate STREQUAL name)
      string(JSON preset GET "${presets}" configurePresets ${index})
      set(${result} "${preset}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "no preset '${name}' in CMakePresets.json")
endfunction()

# Later -D arguments win, so what is inherited is printed first.
function(print_settings name)
  find_preset(${name} preset)
  string(JSON parent ERROR_VARIABLE none GET "${preset}" inherits)
  if(NOT none)
    print_settings(${parent})
  endif()
  string(JSON last ERROR_VARIABLE none LENGTH "${preset}" cacheVariables)
  if(none)
    return()
  endif()
  math(EXPR last "${last} - 1")
  foreach(index RANGE ${last})
    string(JSON key MEMBER "${preset}" cacheVariables ${index})
    string(JSON value GET "${preset}" cacheVariables ${key})
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "-D${key}=${value}")
  endforeach()
endfunction()

print_settings(${PRESET})
