// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ends of lines, colours, and bytes that are no text.
#include <algorithm>
#include <cstring>

#include "harness/core/printable.hpp"
#include "results/peers/text/streams.hpp"

namespace assay::results::peers {
namespace {

constexpr std::size_t longest_line = std::size_t{16} << 20U;

/// "" where it is text.
std::string fault_of(std::string_view line) {
  if (line.size() > longest_line) return "the line is longer than 16 MiB: left out";
  std::size_t at = 0;
  while (at < line.size()) {
    const auto byte = static_cast<unsigned char>(line[at]);
    if (byte != 0 && byte < 0x80U) {
      ++at;
      continue;
    }
    if (byte == 0) return "the line holds a zero byte: left out";
    const std::size_t length = core::utf8_length(line.substr(at));
    if (length == 0) return "the line is not UTF-8: left out";
    at += length;
  }
  return "";
}

/// Without sequences of a terminal: ESC [ ... letter, and ESC ] ... BEL.
std::string without_colours(std::string_view line) {
  constexpr char escape = '\x1b', bell = '\x07';
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != escape) {
      text += line[at];
      continue;
    }
    const char kind = at + 1 < line.size() ? line[at + 1] : '\0';
    if (kind == '[') {
      at += 2;
      while (at < line.size() && !(line[at] >= '@' && line[at] <= '~')) ++at;
    } else if (kind == ']') {
      while (at < line.size() && line[at] != bell) ++at;
    } else {
      ++at;
    }
  }
  return text;
}

void add_line(TextLines& lines, std::string_view text, long number) {
  if (std::string fault = fault_of(text); !fault.empty()) {
    lines.refusals.push_back({number, std::move(fault)});
    return;
  }
  if (text.find('\x1b') != std::string_view::npos) text = lines.changed.emplace_back(without_colours(text));
  lines.lines.push_back({text, number});
}

/// The parts of a line that a program redraws have its number.
void add_parts(TextLines& lines, std::string_view text, long number) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\r', at), text.size());
    add_line(lines, text.substr(at, end - at), number);
    at = end + 1;
  }
}

}  // namespace

TextLines lines_of(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  TextLines lines;
  long number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.torn = end == std::string_view::npos;
    add_parts(lines, text.substr(at, end - at), ++number);
    at = lines.torn ? text.size() : end + 1;
  }
  return lines;
}

}  // namespace assay::results::peers
