# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Installs the pinned packages in the build folder and bundles the charts into OUTPUT. Where the packages cannot be had
# (no registry in reach) OUTPUT is empty, reports have tables only, and a warning says so; REQUIRED makes that an error.
file(MAKE_DIRECTORY "${WORK}")
foreach(name package.json package-lock.json)
  file(COPY "${SOURCE}/${name}" DESTINATION "${WORK}")
endforeach()
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why)
if(NOT failed)
  execute_process(
    COMMAND ${NODE} "${SOURCE}/build.mjs" "${SOURCE}" "${WORK}/node_modules" "${OUTPUT}"
    WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE failed ERROR_VARIABLE why)
endif()
if(failed)
  if(REQUIRED)
    message(FATAL_ERROR "the charts of the report could not be built: ${why}")
  endif()
  message(WARNING "the charts of the report could not be built; reports will have tables only: ${why}")
  file(WRITE "${OUTPUT}" "")
endif()
