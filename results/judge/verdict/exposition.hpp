// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Prometheus' text exposition format 0.0.4: one metric with all of its series, as the format wants them:
// together.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/files/byte_stream.hpp"
#include "harness/core/in_order.hpp"

namespace assay::results {

using MetricLabels = std::vector<std::pair<std::string_view, std::string>>;

enum class MetricType { gauge, counter };

struct MetricHead {
  std::string_view name;
  MetricType type;
  std::string help;

  std::string text() const;
};

/// Takes the next series of a metric.
using SeriesSink = std::function<void(const MetricLabels& labels, double value)>;

/// Gives all series of a metric to the sink, each time the same.
using EachSeries = std::function<void(const SeriesSink& add)>;

/// Writes the text of a MetricFamily that the series are added to, without holding them.
void write_family(const MetricHead& head, const EachSeries& each_series, const core::ByteSink& sink);

/// The series of one metric; of those with the same labels only the one of the greatest value is printed.
class MetricFamily {
 public:
  MetricFamily(std::string_view name, MetricType type, std::string_view help);

  /// A value that is not finite is left out.
  void add(const MetricLabels& labels, double value);
  /// "" where nothing was added.
  std::string text() const;

 private:
  std::string head_, name_;
  core::InOrder<std::string, std::optional<double>> series_;
};

}  // namespace assay::results
