// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The folder of a run that may be refused before it measures anything: it goes again, with what was kept of
// the order.
#pragma once

#include <filesystem>

namespace assay::suite {

class FreshFolder {
 public:
  /// Makes nothing.
  explicit FreshFolder(std::filesystem::path run_folder);

  /// Removes plan, flags and modules, if the folder was not there before and holds no records.
  void remove_order() const;
  /// Removes the folder where nothing is in it, and those above that were made with it.
  void remove_where_empty() const;

 private:
  std::filesystem::path folder_, first_made_;
};

}  // namespace assay::suite
