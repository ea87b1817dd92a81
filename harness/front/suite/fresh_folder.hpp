// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The folder of a run that may be refused before it measures anything: it goes again, with what was asked
// for.
#pragma once

#include <filesystem>

namespace assay::suite {

class FreshFolder {
 public:
  /// Makes nothing; see RunLock.
  explicit FreshFolder(std::filesystem::path run_folder);
  /// Where the folder was not there before and holds no records, removes what was kept of the order, then the
  /// folder, and the folder of runs that was made with it, where nothing else is in them.
  ~FreshFolder();
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

 private:
  std::filesystem::path folder_, first_made_;
};

}  // namespace assay::suite
