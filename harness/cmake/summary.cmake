# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The configure run ends with a table: component, version, or what its absence costs.
get_property(components GLOBAL PROPERTY ASSAY_COMPONENTS)
message(STATUS "assay ${ASSAY_VERSION} (${CMAKE_BUILD_TYPE})")
foreach(row IN LISTS components)
  string(REPLACE "|" ";" cells "${row}")
  list(GET cells 0 name)
  list(GET cells 1 version)
  list(GET cells 2 cost)
  string(SUBSTRING "${name}                    " 0 18 padded)
  if(version)
    message(STATUS "  ${padded} ${version}")
  else()
    message(STATUS "  ${padded} missing: ${cost}")
  endif()
endforeach()
