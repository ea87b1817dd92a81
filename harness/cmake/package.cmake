# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# cmake --install and the relocatable tarball (cpack): bin/, lib/ with every shared library that is neither glibc's nor
# the driver's, share/assay/. It needs a glibc at least as new as that of the build machine.
get_property(ASSAY_PROGRAMS GLOBAL PROPERTY ASSAY_PROGRAMS)

# glibc and the driver's libraries must be the node's; cuBLASLt, NCCL and rdma-core (whose providers fit only their own
# libibverbs) too, so that a site tests its own versions.
set(ASSAY_FROM_THE_NODE
    "^ld-linux" "^lib(c|m|dl|rt|util|anl|mvec|pthread|resolv|nsl|crypt|thread_db|BrokenLocale)\\.so"
    "^libcuda\\.so" "^libnvidia-" "^libnvml" "^libcublas" "^libnccl" "^libibverbs" "^libmlx5" "^libnl-" "^libefa")
if(ASSAY_PROGRAMS)
  install(RUNTIME_DEPENDENCY_SET assay_runtime PRE_EXCLUDE_REGEXES ${ASSAY_FROM_THE_NODE} DESTINATION lib)
endif()

file(GLOB ASSAY_PLANS ${PROJECT_SOURCE_DIR}/harness/plan/plans/*.toml)
file(GLOB ASSAY_SCHEMAS ${PROJECT_SOURCE_DIR}/results/record/schema/*.json)
file(GLOB ASSAY_EXAMPLES ${PROJECT_SOURCE_DIR}/model/examples/*.json ${PROJECT_SOURCE_DIR}/model/examples/*.jsonl)
file(GLOB ASSAY_FABRIC_EXAMPLES ${PROJECT_SOURCE_DIR}/model/examples/fabric/*)
file(GLOB ASSAY_LIMITS ${PROJECT_SOURCE_DIR}/results/limits/*.toml)
set(data share/assay)
install(FILES ${ASSAY_PLANS} DESTINATION ${data}/plans)
install(FILES ${ASSAY_SCHEMAS} DESTINATION ${data}/schema)
install(FILES ${ASSAY_EXAMPLES} DESTINATION ${data}/examples)
foreach(folder rates node public)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/model/examples/${folder} DESTINATION ${data}/examples)
endforeach()
install(FILES ${ASSAY_FABRIC_EXAMPLES} DESTINATION ${data}/examples/fabric)
install(FILES ${ASSAY_LIMITS} DESTINATION ${data}/limits)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${data}/doc)
# Below the README as in the source, so that its links lead there.
install(DIRECTORY docs DESTINATION ${data}/doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.txt")
install(PROGRAMS scripts/assay-device-check DESTINATION bin)
install(DIRECTORY scripts/completions/ DESTINATION ${data}/completions)
# What a site's scheduler and monitors start or read; none is enabled.
install(PROGRAMS scripts/slurm/node-check scripts/slurm/health-check scripts/slurm/prolog scripts/slurm/epilog DESTINATION ${data}/slurm)
install(FILES scripts/slurm/accept.sbatch scripts/slurm/burn-in.sbatch DESTINATION ${data}/slurm)
foreach(folder kubernetes systemd prometheus grafana)
  install(DIRECTORY scripts/${folder} DESTINATION ${data} USE_SOURCE_PERMISSIONS)
endforeach()

# A library that is linked statically has no file under lib/ that names its package.
set(ASSAY_STATIC_PACKAGES libhwloc-dev libsqlite3-dev libssl-dev zlib1g-dev libdeflate-dev libfmt-dev libcli11-dev nlohmann-json3-dev
    libtomlplusplus-dev liburing-dev libxxhash-dev libprotobuf-dev)
configure_file(${CMAKE_CURRENT_LIST_DIR}/install_licences.cmake.in ${PROJECT_BINARY_DIR}/install_licences.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/install_licences.cmake)

set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME "assay-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_VERBATIM_VARIABLES TRUE)
include(CPack)

# The tarball unpacked elsewhere: nothing but glibc comes from outside, and every program starts.
assay_wants_tests(package package_test)
if(package_test AND ASSAY_PROGRAMS AND NOT ASSAY_SANITIZE)
  add_test(NAME package.tarball COMMAND python3 -B ${PROJECT_SOURCE_DIR}/scripts/tests/package_test.py)
  set_tests_properties(package.tarball PROPERTIES LABELS package TIMEOUT 900 RESOURCE_LOCK gpu
                       ENVIRONMENT "ASSAY_BUILD_DIR=${PROJECT_BINARY_DIR}")
endif()
