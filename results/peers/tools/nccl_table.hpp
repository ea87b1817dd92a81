// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The table in the text of nccl-tests: its heading says which columns a row has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/peers/tools/nccl_run.hpp"

namespace assay::results::peers {

class NcclTable {
 public:
  /// Takes lines of the heading, without their "#"; others are left alone.
  void read_heading(std::string_view text);
  /// Whether the line is a row with exactly the columns of the heading.
  bool read_row(const Line& line, NcclRun& run);
  /// Before 2.13 a row has its largest deviation in place of wrong elements: by the program's own bounds it
  /// becomes one. `all_right`: the run's total says that none was beyond them.
  void judge_deviations(NcclRun& run, bool all_right) const;
  bool has_times_of_day() const { return time_of_day_; }
  /// "" where the table's units are known.
  const std::string& fault() const { return fault_; }

 private:
  struct Half {
    bool in_place = false, launch_time = false;
  };
  bool take_half(std::vector<std::string_view>& columns, const Half& half, NcclRow& row) const;

  std::vector<Half> halves_;
  std::string places_;  // of the line above: "out-of-place in-place"
  bool has_redop_ = false, has_root_ = false, deviation_ = false, per_iteration_ = false,
       time_of_day_ = false;
  bool has_units_ = false;
  std::string fault_;
};

}  // namespace assay::results::peers
