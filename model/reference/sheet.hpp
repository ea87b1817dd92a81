// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A sheet of named cells: the 96 numbers by their names, and what they are made of, under names that begin
// with a dot. A cell is written once and read only after that.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "model/reference/layer_rows.hpp"

namespace assay::model::reference {

class Sheet {
 public:
  /// Throws std::logic_error where it is read before it is written, or written twice.
  Real operator[](std::string_view name) const;
  void set(std::string name, Real value);

  /// Sets the relative uncertainty of a result that is a small difference of large numbers.
  void set_doubt(const std::string& name, Real relative) { doubts_[name] = relative; }
  Real doubt(const std::string& name) const;

  const std::map<std::string, Real, std::less<>>& cells() const { return cells_; }

 private:
  std::map<std::string, Real, std::less<>> cells_;
  std::map<std::string, Real, std::less<>> doubts_;
};

/// In this order; each reads what those before it wrote.
void fill_block(const Letters& x, Sheet& sheet);
void fill_memory(const Letters& x, Sheet& sheet);
void fill_passes(const Letters& x,
                 Sheet& sheet);  // of blocks through the pipeline, with what offloading adds
void fill_data_parallel(const Letters& x, Sheet& sheet);
void fill_step(const Letters& x, Sheet& sheet);

}  // namespace assay::model::reference
