# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# cmake --install and cpack's packages: a tarball that can lie anywhere, .deb and .rpm in /opt/assay. bin/, lib/ with every
# shared library that is neither glibc's nor the driver's, share/. They need glibc 2.34 (scripts/packaging/loosen-glibc).
get_property(ASSAY_PROGRAMS GLOBAL PROPERTY ASSAY_PROGRAMS)

# glibc, libgcc_s and the driver's libraries must be the node's; cuBLASLt, NCCL and rdma-core (whose providers fit only their own
# libibverbs) too, so that a site tests its own versions.
set(ASSAY_FROM_THE_NODE
    "^ld-linux" "^lib(c|m|dl|rt|util|anl|mvec|pthread|resolv|nsl|crypt|thread_db|BrokenLocale)\\.so"
    "^libgcc_s\\.so" "^libcuda\\.so" "^libnvidia-" "^libnvml" "^libcublas" "^libnccl" "^libibverbs" "^libmlx5" "^libnl-" "^libefa")
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
foreach(folder rates node public systems nccl-tests-logs)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/model/examples/${folder} DESTINATION ${data}/examples)
endforeach()
install(FILES ${ASSAY_FABRIC_EXAMPLES} DESTINATION ${data}/examples/fabric)
install(FILES ${ASSAY_LIMITS} DESTINATION ${data}/limits)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${data}/doc)
# Below the README as in the source, so that its links lead there.
install(DIRECTORY docs DESTINATION ${data}/doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.txt")
install(DIRECTORY results/reference DESTINATION ${data}/doc/results)
file(GLOB ASSAY_PUBLIC_LIMITS ${PROJECT_SOURCE_DIR}/results/reference/public-h100/limits-*.toml)
install(FILES ${ASSAY_PUBLIC_LIMITS} DESTINATION ${data}/limits/public-h100)
install(PROGRAMS scripts/assay-device-check DESTINATION bin)
install(DIRECTORY scripts/device_check/ DESTINATION libexec/assay/device-check)
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
if(ASSAY_PYTHON_FOUND)
  list(APPEND ASSAY_STATIC_PACKAGES pybind11-dev)
endif()
set(ASSAY_CUDA_RUNTIME)
if(ASSAY_CUDA_FOUND)
  set(ASSAY_CUDA_RUNTIME "--cuda-runtime ${CUDAToolkit_VERSION}")
endif()
install(SCRIPT ${CMAKE_CURRENT_LIST_DIR}/install_search_path.cmake)
configure_file(${CMAKE_CURRENT_LIST_DIR}/install_licences.cmake.in ${PROJECT_BINARY_DIR}/install_licences.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/install_licences.cmake)

# What a build is made of, and the manual pages, are written when it is installed: by its own programs.
find_package(Python3 QUIET COMPONENTS Interpreter)
find_program(ASSAY_HELP2MAN help2man)
string(REPLACE ";" " " static_packages "${ASSAY_STATIC_PACKAGES}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/install_papers.cmake.in ${PROJECT_BINARY_DIR}/install_papers.cmake @ONLY)
install(SCRIPT ${PROJECT_BINARY_DIR}/install_papers.cmake)
install(DIRECTORY scripts/container DESTINATION ${data})

set(CPACK_GENERATOR TGZ)
find_program(ASSAY_DPKG_DEB dpkg-deb)
find_program(ASSAY_RPMBUILD rpmbuild)
if(ASSAY_DPKG_DEB)
  list(APPEND CPACK_GENERATOR DEB)
endif()
if(ASSAY_RPMBUILD)
  list(APPEND CPACK_GENERATOR RPM)
endif()
set(CPACK_PACKAGE_FILE_NAME "assay-${ASSAY_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/package)
set(CPACK_PACKAGE_VENDOR "The assay authors")
set(CPACK_PACKAGE_CONTACT "The assay authors <noreply@assay.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_VERBATIM_VARIABLES TRUE)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
string(REPLACE "-" "~" CPACK_DEBIAN_PACKAGE_VERSION "${ASSAY_VERSION}")  # before the release, also in the order of versions
set(CPACK_RPM_PACKAGE_VERSION "${CPACK_DEBIAN_PACKAGE_VERSION}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.34), libgcc-s1")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libibverbs1, ibverbs-providers")
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0")
set(CPACK_RPM_PACKAGE_AUTOREQPROV OFF)  # else every library inside is something that this package provides
set(CPACK_RPM_PACKAGE_REQUIRES "glibc >= 2.34, libgcc")
set(CPACK_RPM_PACKAGE_SUGGESTS "libibverbs")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr /usr/bin /usr/lib /usr/lib/systemd /usr/lib/systemd/system /usr/share
    /usr/share/man /usr/share/man/man1 /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/zsh
    /usr/share/zsh/site-functions /usr/share/zsh/vendor-completions /usr/share/fish /usr/share/fish/vendor_completions.d /opt)
set(CPACK_RPM_SPEC_MORE_DEFINE "%define _build_id_links none\n%global __os_install_post %{nil}")
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_prefix.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package_links.cmake)
include(CPack)

# The tarball unpacked elsewhere: nothing but glibc comes from outside, and every program starts.
assay_wants_tests(package package_test)
if(package_test AND ASSAY_PROGRAMS AND NOT ASSAY_SANITIZE)
  add_test(NAME package.tarball COMMAND python3 -B ${PROJECT_SOURCE_DIR}/scripts/tests/package_test.py)
  add_test(NAME package.container COMMAND python3 -B ${PROJECT_SOURCE_DIR}/scripts/tests/container_test.py)
  set_tests_properties(package.tarball package.container PROPERTIES LABELS package TIMEOUT 900 RESOURCE_LOCK gpu
                       ENVIRONMENT "ASSAY_BUILD_DIR=${PROJECT_BINARY_DIR}")
endif()
