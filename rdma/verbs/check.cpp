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

namespace {

struct Meaning {
  ibv_wc_status status;
  const char* name;
  const char* meaning;
};

// Names: libibverbs' enum ibv_wc_status. Meanings: InfiniBand Architecture Specification 1.4, 11.6.2.
constexpr Meaning meanings[] = {
    {IBV_WC_SUCCESS, "IBV_WC_SUCCESS", "completed"},
    {IBV_WC_LOC_LEN_ERR, "IBV_WC_LOC_LEN_ERR", "a message is longer than the buffer or the MTU (UD) allows"},
    {IBV_WC_LOC_QP_OP_ERR, "IBV_WC_LOC_QP_OP_ERR",
     "this host's device could not process the request: a wrong local key, or its own link was taken down"},
    {IBV_WC_LOC_PROT_ERR, "IBV_WC_LOC_PROT_ERR", "the local key does not cover the buffer"},
    {IBV_WC_WR_FLUSH_ERR, "IBV_WC_WR_FLUSH_ERR", "flushed: the QP had failed before"},
    {IBV_WC_MW_BIND_ERR, "IBV_WC_MW_BIND_ERR", "a memory window could not be bound"},
    {IBV_WC_BAD_RESP_ERR, "IBV_WC_BAD_RESP_ERR", "the peer's answer made no sense"},
    {IBV_WC_LOC_ACCESS_ERR, "IBV_WC_LOC_ACCESS_ERR", "a write arrived for memory that may not be written"},
    {IBV_WC_REM_INV_REQ_ERR, "IBV_WC_REM_INV_REQ_ERR",
     "the peer refused the request: too long for its receive, or an operation its QP does not allow"},
    {IBV_WC_REM_ACCESS_ERR, "IBV_WC_REM_ACCESS_ERR",
     "the peer refused the access: a wrong remote key or address, or rights it did not grant"},
    {IBV_WC_REM_OP_ERR, "IBV_WC_REM_OP_ERR", "the peer's device could not complete the request"},
    {IBV_WC_RETRY_EXC_ERR, "IBV_WC_RETRY_EXC_ERR",
     "the peer did not answer within all retries: its link, host or process is gone, its GID or MTU does not "
     "fit, or the path loses packets"},
    {IBV_WC_RNR_RETRY_EXC_ERR, "IBV_WC_RNR_RETRY_EXC_ERR",
     "the peer had no receive posted within all retries: its receive queue is empty"},
    {IBV_WC_REM_INV_RD_REQ_ERR, "IBV_WC_REM_INV_RD_REQ_ERR", "the peer saw an invalid read request"},
    {IBV_WC_REM_ABORT_ERR, "IBV_WC_REM_ABORT_ERR", "the peer aborted the operation"},
    {IBV_WC_FATAL_ERR, "IBV_WC_FATAL_ERR", "the device failed"},
    {IBV_WC_RESP_TIMEOUT_ERR, "IBV_WC_RESP_TIMEOUT_ERR", "an answer came too late"},
    {IBV_WC_GENERAL_ERR, "IBV_WC_GENERAL_ERR", "the device reports an error of no other kind"},
};

}  // namespace

std::string describe(ibv_wc_status status) {
  for (const Meaning& known : meanings)
    if (known.status == status)
      return fmt::format("{} ({}): {}", known.name, static_cast<int>(status), known.meaning);
  return fmt::format("work completion status {}: of no known meaning", static_cast<int>(status));
}

void throw_completion(const ibv_wc& completion, const std::string& doing) {
  throw core::Error(
      core::ErrorKind::verbs,
      fmt::format("{}: {}{}", doing, describe(completion.status),
                  completion.vendor_err == 0 ? std::string()
                                             : fmt::format("; vendor error {:#x}", completion.vendor_err)),
      completion.status);
}

}  // namespace assay::rdma
