// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From the bytes of a file to the lines of each host: ends of lines, colours and prefixes of launchers are
// removed. A prefix counts only where most lines have it, and where a reader knows what is below it:
// "gx71: Test NCCL failure" is a message.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/peers/reader.hpp"

namespace assay::results::peers {

struct Stream {
  std::vector<Line> lines;
  std::string host = {};     // by prefix; empty: none
  std::string started = {};  // the first line's time; empty: none
  bool prefixed = false;
  long foreign_lines = 0;  // of a file with prefixes, without one
};

/// The lines of a text, which must live as long as they. Lines that no text has are refused.
struct TextLines {
  std::vector<Line> lines;
  std::vector<Refusal> refusals;
  std::deque<std::string> changed;  // lines without their colours
  bool torn = false;                // the last line has no line feed
};
TextLines lines_of(std::string_view text);

/// `is_known`: whether a reader knows a block among the lines.
std::vector<Stream> streams_of(std::vector<Line> lines, const std::function<bool(Lines)>& is_known);

}  // namespace assay::results::peers
