// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/input_lines.hpp"

namespace assay::core {

bool InputLines::read_more() {
  constexpr std::size_t piece_bytes = 1 << 17;
  held_.erase(0, from_);
  from_ = 0;
  const std::size_t held = held_.size();
  held_.resize(held + piece_bytes);
  held_.resize(held + file_.read(held_.data() + held, piece_bytes));
  return held_.size() > held;
}

bool InputLines::next() {
  too_long_ = false;
  std::size_t looked = 0;  // bytes without a line feed
  for (;;) {
    const std::size_t feed = held_.find('\n', from_ + looked);
    if (feed != std::string::npos) {
      line_ = std::string_view(held_).substr(from_, feed - from_);
      too_long_ = too_long_ || line_.size() > most_line_bytes_;
      from_ = feed + 1;
      return true;
    }
    looked = held_.size() - from_;
    if (looked > most_line_bytes_) {
      too_long_ = true;
      from_ = held_.size() - 1;  // its content is not needed; one byte marks it
      looked = 1;
    }
    if (read_more()) continue;
    line_ = std::string_view(held_).substr(from_);
    from_ = held_.size();
    return !line_.empty();
  }
}

}  // namespace assay::core
