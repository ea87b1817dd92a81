// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/live_line.hpp"

#include <algorithm>

#include "results/table/table.hpp"

namespace assay::run {
namespace {

constexpr std::size_t narrowest_point = 12;  // "rdma.v…s=64B"

/// Bytes of the first `characters`.
std::size_t bytes_of(const std::string& text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if ((text[at] & 0xc0) != 0x80 && characters-- == 0) break;
  return at;
}

/// Points differ in their case and in their last axes: the middle goes.
std::string without_middle(const std::string& text, std::size_t columns) {
  const std::size_t width = results::width_of(text);
  if (width <= columns) return text;
  if (columns < 3) return text.substr(0, bytes_of(text, columns));
  const std::size_t head = columns / 2, tail = columns - 1 - head;
  return text.substr(0, bytes_of(text, head)) + "…" + text.substr(bytes_of(text, width - tail));
}

}  // namespace

std::string fitted(const LiveLine& line, std::size_t columns) {
  const auto joined = [&](const std::string& of_module, const std::string& point) {
    return line.counts + of_module + point + line.interval + line.left;
  };
  std::string whole = joined(line.of_module, line.point);
  if (columns == 0 || results::width_of(whole) <= columns) return whole;
  const std::size_t least = std::min(narrowest_point, results::width_of(line.point));
  const bool names_module = results::width_of(joined(line.of_module, "")) + least <= columns;
  const std::string of_module = names_module ? line.of_module : "";
  const std::size_t others = results::width_of(joined(of_module, ""));
  whole = joined(of_module, without_middle(line.point, others < columns ? columns - others : 0));
  return whole.substr(0, bytes_of(whole, columns));
}

}  // namespace assay::run
