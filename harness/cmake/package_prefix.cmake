# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Read by cpack for each kind of package: a tarball has one folder, .deb and .rpm unpack into /opt/assay.
if(NOT CPACK_GENERATOR STREQUAL TGZ)
  set(CPACK_PACKAGING_INSTALL_PREFIX /opt/assay)
endif()
