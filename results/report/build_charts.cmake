# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Fetches the pinned packages into the build folder and bundles the charts into OUTPUT. Where the packages cannot be had
# (no registry in reach) OUTPUT is empty, reports have tables only, and a warning says so; REQUIRED makes that an error.
file(MAKE_DIRECTORY "${WORK}")
file(COPY "${SOURCE}/package.json" DESTINATION "${WORK}")
execute_process(
  COMMAND ${NODE} "${SOURCE}/fetch_packages.mjs" "${SOURCE}/package-lock.json" "${WORK}"
  RESULT_VARIABLE failed ERROR_VARIABLE why)
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
