// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/error.hpp"

#include "harness/core/printable.hpp"

namespace assay::core {

Error::Error(ErrorKind kind, const std::string& what, long code, std::source_location where)
    : std::runtime_error(what), kind_(kind), code_(code), where_(where) {}

void usage_error(const std::string& what, std::source_location where) {
  throw Error(ErrorKind::usage, printable_message(what), 0, where);
}

std::string to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::system:
      return "system";
    case ErrorKind::cuda:
      return "cuda";
    case ErrorKind::cublas:
      return "cublas";
    case ErrorKind::nvml:
      return "nvml";
    case ErrorKind::onednn:
      return "onednn";
    case ErrorKind::blas:
      return "blas";
    case ErrorKind::nccl:
      return "nccl";
    case ErrorKind::mpi:
      return "mpi";
    case ErrorKind::verbs:
      return "verbs";
    case ErrorKind::team:
      return "team";
  }
  return "unknown";
}

}  // namespace assay::core
