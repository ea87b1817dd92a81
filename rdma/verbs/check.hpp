// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Failures of libibverbs as exceptions with their errno.
#pragma once

#include <infiniband/verbs.h>

#include <cerrno>
#include <source_location>
#include <string>

namespace assay::rdma {

/// Throws Error(verbs), or Unsupported where the device says it has no such thing (EOPNOTSUPP, ENOTSUP,
/// ENOSYS). The text: "create a QP: Cannot allocate memory (errno 12)".
[[noreturn]] void throw_verbs(int error_number, const std::string& doing,
                              std::source_location where = std::source_location::current());

/// For calls that return 0 or an errno value.
inline void check_verbs(int error_number, const char* doing,
                        std::source_location where = std::source_location::current()) {
  if (error_number != 0) throw_verbs(error_number < 0 ? errno : error_number, doing, where);
}

/// For calls that return a pointer and set errno.
template <class Resource>
Resource* made_by_verbs(Resource* made, const char* doing,
                        std::source_location where = std::source_location::current()) {
  if (made == nullptr) throw_verbs(errno, doing, where);
  return made;
}

// The meaning of a work completion's status, in words a fabric engineer can act on.

/// "IBV_WC_RETRY_EXC_ERR (12): the peer did not answer within all retries; is its port up, ...". Never empty.
std::string describe(ibv_wc_status status);

/// The completion as an Error(verbs) whose code is the status.
[[noreturn]] void throw_completion(const ibv_wc& completion, const std::string& doing);

}  // namespace assay::rdma
