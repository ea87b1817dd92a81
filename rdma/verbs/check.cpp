// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/check.hpp"

#include <fmt/format.h>

#include <system_error>

#include "harness/core/error.hpp"

namespace assay::rdma {

void throw_verbs(int error_number, const std::string& doing, std::source_location where) {
  const std::string what =
      fmt::format("{}: {} (errno {})", doing, std::generic_category().message(error_number), error_number);
  if (error_number == EOPNOTSUPP || error_number == ENOTSUP || error_number == ENOSYS)
    throw core::Unsupported(core::ErrorKind::verbs, what, error_number, where);
  throw core::Error(core::ErrorKind::verbs, what, error_number, where);
}

}  // namespace assay::rdma
