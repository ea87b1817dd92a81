// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/exposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/core/printable.hpp"

namespace assay::results {
namespace {

/// In a label's value a backslash, a quotation mark and a line feed are escaped.
std::string label_value(const std::string& text) {
  std::string escaped;
  for (const char byte : core::valid_text(text)) {
    if (byte == '\\' || byte == '"') escaped += '\\';
    escaped += byte == '\n' ? std::string("\\n") : std::string(1, byte);
  }
  return escaped;
}

std::string series_text(const MetricLabels& labels) {
  std::string series;
  for (const auto& [label, text] : labels) {
    if (!series.empty()) series += ',';
    series.append(label).append("=\"").append(label_value(text)).append("\"");
  }
  return series;
}

std::string line_of_series(std::string_view name, const std::string& series, double value) {
  return fmt::format("{}{{{}}} {}\n", name, series, value);
}

/// Hashes of series that come more than once, sorted; a few others may be among them.
std::vector<std::size_t> repeated(const EachSeries& each_series) {
  std::vector<std::size_t> hashes;
  each_series([&](const MetricLabels& labels, double value) {
    if (std::isfinite(value)) hashes.push_back(std::hash<std::string>()(series_text(labels)));
  });
  std::ranges::sort(hashes);
  std::size_t kept = 0;
  for (std::size_t at = 1; at < hashes.size(); ++at)
    if (hashes[at] == hashes[at - 1]) hashes[kept++] = hashes[at];
  hashes.resize(kept);
  return hashes;
}

}  // namespace

std::string MetricHead::text() const {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name,
                     type == MetricType::counter ? "counter" : "gauge");
}

void write_family(const MetricHead& head, const EachSeries& each_series, const core::ByteSink& sink) {
  const std::vector<std::size_t> hashes = repeated(each_series);
  const auto is_repeated = [&](const std::string& series) {
    return std::ranges::binary_search(hashes, std::hash<std::string>()(series));
  };
  std::map<std::string, std::optional<double>> greatest;  // nothing once it is written
  if (!hashes.empty())
    each_series([&](const MetricLabels& labels, double value) {
      if (!std::isfinite(value)) return;
      const std::string series = series_text(labels);
      if (!is_repeated(series)) return;
      std::optional<double>& most = greatest[series];
      most = std::max(most.value_or(value), value);
    });
  std::string before = head.text();
  each_series([&](const MetricLabels& labels, double value) {
    if (!std::isfinite(value)) return;
    const std::string series = series_text(labels);
    if (const auto found = greatest.find(series); found != greatest.end()) {
      if (!found->second) return;
      value = *std::exchange(found->second, std::nullopt);
    }
    sink(std::exchange(before, "") + line_of_series(head.name, series, value));
  });
}

MetricFamily::MetricFamily(std::string_view name, MetricType type, std::string_view help)
    : head_(MetricHead{name, type, std::string(help)}.text()), name_(name) {}

void MetricFamily::add(const MetricLabels& labels, double value) {
  if (!std::isfinite(value)) return;
  std::optional<double>& greatest = series_[series_text(labels)];
  greatest = std::max(greatest.value_or(value), value);
}

std::string MetricFamily::text() const {
  if (series_.empty()) return "";
  std::string text = head_;
  for (const auto& [labels, value] : series_) text += line_of_series(name_, labels, *value);
  return text;
}

}  // namespace assay::results
