// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file that the user names as input, a line at a time, in memory that does not grow with the file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/core/files/input_file.hpp"

namespace assay::core {

class InputLines {
 public:
  /// Throws a usage Error like InputFile, here and in next().
  InputLines(const std::string& path, const std::string& expected, std::size_t most_line_bytes)
      : file_(path, expected), most_line_bytes_(most_line_bytes) {}

  /// False at the end. The line is without its line feed, and is valid until the next call; a line that
  /// is too long is cut.
  bool next();
  std::string_view line() const { return line_; }
  bool too_long() const { return too_long_; }

 private:
  /// Reads more bytes after those that are held; false at the end of the file.
  bool read_more();

  InputFile file_;
  std::size_t most_line_bytes_;
  std::string held_;
  std::size_t from_ = 0;  // first byte not yet returned
  std::string_view line_;
  bool too_long_ = false;
};

}  // namespace assay::core
