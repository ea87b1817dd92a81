// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One `assay run` or `assay burn-in` at a time for each run: two would write their records under the same
// numbers into one journal.
#pragma once

#include <atomic>
#include <exception>
#include <filesystem>

#include "harness/front/suite/fresh_folder.hpp"

namespace assay::suite {

/// The lock file in the folder of a run or a campaign while it runs.
inline constexpr const char* lock_file_name = "in-use";

class RunLock {
 public:
  /// Makes the folder, which goes again where an exception ends the run before it has records (FreshFolder).
  /// Throws a usage Error naming the run and the process that holds it; modules that outlive a front end
  /// which was killed hold it too, and are waited for up to `patience_s`, or until `signals` counts an
  /// interrupt.
  RunLock(const std::filesystem::path& run_folder, double patience_s, const std::atomic<int>& signals);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// The lock's descriptor, for processes that write into the run's folder: the run is held until the last of
  /// them has ended.
  int descriptor() const { return descriptor_; }

 private:
  FreshFolder folder_;
  std::filesystem::path file_;
  int descriptor_ = -1;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace assay::suite
