// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank's first failure, kept until all ranks have come to the end of a run: thrown earlier it would leave
// them waiting.
#pragma once

#include <exception>
#include <string>

#include "harness/team/team.hpp"

namespace assay::rdma {

class KeptFailure {
 public:
  void clear() { kept_ = nullptr; }
  explicit operator bool() const { return kept_ != nullptr; }

  /// Does nothing after a failure. A lost peer is not a failure of this rank and passes.
  template <class Phase>
  void attempt(Phase phase) {
    if (kept_) return;
    try {
      phase();
    } catch (const team::PeerLost&) {
      throw;
    } catch (const std::exception&) {
      kept_ = std::current_exception();
    }
  }

  void rethrow_if_any() const {
    if (kept_) std::rethrow_exception(kept_);
  }
  /// The peer was lost after the failure, which is likely to name the cause: PeerLost with both.
  [[noreturn]] void rethrow_with(const team::PeerLost& lost) const {
    if (!kept_) throw lost;
    try {
      std::rethrow_exception(kept_);
    } catch (const std::exception& failure) {
      throw team::PeerLost(lost.rank(), std::string(failure.what()) + "; then " + lost.what(), lost.code(),
                           lost.where());
    }
  }

 private:
  std::exception_ptr kept_;
};

}  // namespace assay::rdma
