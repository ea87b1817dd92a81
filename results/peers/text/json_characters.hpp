// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The characters of lines one after the other, with a line feed between lines.
#pragma once

#include <string_view>

#include "results/peers/reader.hpp"

namespace assay::results::peers {

class JsonCharacters {
 public:
  JsonCharacters(Lines lines, std::size_t at) : lines_(lines), line_(at) {}

  bool at_end() const {
    return line_ >= lines_.size() || (line_ + 1 == lines_.size() && at_ == text().size());
  }
  /// A line feed at the end of a line. Not at_end().
  char peek() const { return at_ < text().size() ? text()[at_] : '\n'; }
  char take() {
    const char taken = peek();
    if (at_ < text().size()) {
      ++at_;
    } else {
      ++line_;
      at_ = 0;
    }
    return taken;
  }
  void skip_blanks() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n')) take();
  }
  /// Up to one of the `marks` or the line's end, neither of which is taken.
  std::string_view take_until(std::string_view marks) {
    const std::string_view rest = text().substr(at_);
    const std::string_view taken = rest.substr(0, rest.find_first_of(marks));
    at_ += taken.size();
    return taken;
  }
  bool rest_of_line_is_blank() const {
    return line_ >= lines_.size() || text().find_first_not_of(" \t", at_) == std::string_view::npos;
  }
  std::size_t line_index() const { return line_; }
  long line_number() const {
    return lines_.empty() ? 0 : lines_[line_ < lines_.size() ? line_ : lines_.size() - 1].number;
  }

 private:
  std::string_view text() const { return lines_[line_].text; }

  Lines lines_;
  std::size_t line_ = 0, at_ = 0;
};

}  // namespace assay::results::peers
