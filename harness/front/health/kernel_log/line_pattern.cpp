// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/kernel_log/line_pattern.hpp"

#include <algorithm>
#include <cctype>

namespace assay::health {
namespace {

bool starts_word(std::string_view line, std::size_t at) {
  return at == 0 || (std::isalnum(static_cast<unsigned char>(line[at - 1])) == 0 && line[at - 1] != '_');
}

/// The end of the first `piece` at or behind `from`; npos where it does not occur.
std::size_t end_of_piece(std::string_view line, std::string_view piece, std::size_t from) {
  const bool word = piece.starts_with('<');
  if (word) piece.remove_prefix(1);
  for (std::size_t at = line.find(piece, from); at != std::string_view::npos; at = line.find(piece, at + 1))
    if (!word || starts_word(line, at)) return at + piece.size();
  return std::string_view::npos;
}

}  // namespace

bool fits_line(std::string_view line, std::string_view pattern) {
  std::size_t from = 0;
  if (pattern.starts_with('^')) {
    pattern.remove_prefix(1);
    const std::string_view first = pattern.substr(0, pattern.find('*'));
    if (!line.starts_with(first)) return false;
    from = first.size();
    pattern.remove_prefix(first.size());
  }
  while (!pattern.empty()) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    if (star > 0) from = end_of_piece(line, pattern.substr(0, star), from);
    if (from == std::string_view::npos) return false;
    pattern.remove_prefix(std::min(star + 1, pattern.size()));
  }
  return true;
}

}  // namespace assay::health
