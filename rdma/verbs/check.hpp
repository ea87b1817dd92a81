// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Failures of libibverbs as exceptions with their errno.
#pragma once

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

}  // namespace assay::rdma
