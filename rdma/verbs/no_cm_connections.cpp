// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/error.hpp"
#include "rdma/verbs/cm_connections.hpp"

namespace assay::rdma {

struct CmConnections::State {};

std::optional<std::string> cm_not_built() { return "librdmacm"; }

CmConnections::CmConnections(const Device&, const Gid&) {
  throw core::Unsupported(core::ErrorKind::verbs, "this build has no librdmacm: connect=exchange needs none");
}
CmConnections::~CmConnections() = default;
std::uint16_t CmConnections::port() const { return 0; }
void CmConnections::connect(std::vector<CmEnd>, const RetrySettings&, double) {}

}  // namespace assay::rdma
