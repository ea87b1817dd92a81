// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/exposition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

MetricFamily::MetricFamily(std::string_view name, MetricType type, std::string_view help)
    : head_(fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name,
                        type == MetricType::counter ? "counter" : "gauge")),
      name_(name) {}

void MetricFamily::add(const MetricLabels& labels, double value) {
  if (!std::isfinite(value)) return;
  std::string series;
  for (const auto& [label, text] : labels)
    series += fmt::format("{}{}=\"{}\"", series.empty() ? "" : ",", label, label_value(text));
  std::optional<double>& greatest = series_[series];
  greatest = std::max(greatest.value_or(value), value);
}

std::string MetricFamily::text() const {
  if (series_.empty()) return "";
  std::string text = head_;
  for (const auto& [labels, value] : series_) text += fmt::format("{}{{{}}} {}\n", name_, labels, *value);
  return text;
}

}  // namespace assay::results
