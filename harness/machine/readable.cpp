// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/readable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace assay::machine {

std::string readable_bytes(std::int64_t bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  const std::string number = fmt::format("{:.1f}", value);
  return (number.ends_with(".0") ? number.substr(0, number.size() - 2) : number) + " " + units[unit];
}

std::string readable_link(double gt_per_s, int width) {
  std::string text = gt_per_s > 0 ? fmt::format("{:g} GT/s", gt_per_s) : "";
  if (width > 0) text += (text.empty() ? "x" : " x") + std::to_string(width);
  return text;
}

std::string readable_trained(const PcieLink& link) {
  const std::string trained = readable_link(link.speed_gt_per_s, link.width);
  const std::string best = readable_link(link.max_speed_gt_per_s, link.max_width);
  return link.down_trained() && !trained.empty() ? trained + " of " + best : trained;
}

std::string readable_cache_name(const Cache& cache) {
  return "L" + std::to_string(cache.level) + (cache.type == "unified" ? "" : " " + cache.type);
}

std::size_t display_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::istringstream words(text);
  std::string all, line;
  for (std::string word; words >> word;) {
    const std::size_t begin = all.empty() ? 0 : indent;
    if (!line.empty() && begin + display_width(line) + 1 + display_width(word) > width) {
      all += (all.empty() ? "" : "\n" + std::string(indent, ' ')) + line;
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return all + (all.empty() ? "" : "\n" + std::string(indent, ' ')) + line;
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return "";
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (std::size_t column = 0; column < widths.size(); ++column) {
    const bool told =
        std::any_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return !row[column].empty(); });
    for (const auto& row : rows)
      if (told) widths[column] = std::max(widths[column], display_width(row[column]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t column = 0; column < widths.size(); ++column)
      if (widths[column] > 0) line += "  " + padded(row[column], widths[column]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace assay::machine
