// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a work completion's status means, in words a fabric engineer can act on.
#pragma once

#include <infiniband/verbs.h>

#include <string>

namespace assay::rdma {

/// "IBV_WC_RETRY_EXC_ERR (12): the peer did not answer within all retries; is its port up, ...". Never empty.
std::string describe(ibv_wc_status status);

/// The completion as an Error(verbs) whose code is the status.
[[noreturn]] void throw_completion(const ibv_wc& completion, const std::string& doing);

}  // namespace assay::rdma
