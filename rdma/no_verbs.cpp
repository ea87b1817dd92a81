// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A build without libibverbs.
#include "rdma/cases.hpp"

namespace assay::rdma {

std::optional<std::string> why_none_runs() { return "this build has no libibverbs"; }

}  // namespace assay::rdma
