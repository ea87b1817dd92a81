// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Histograms of the fabric's latencies, of the points behind the highlights of latency: [{label, n, edges_s,
// counts, median_s, p99_s}].
#include <cmath>

#include "results/points/time_histogram.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/sections.hpp"
#include "results/show/highlights.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t bins = 40, histograms = 4;

}  // namespace

Json rdma_time_charts(const RunPoints& run) {
  Json charts = Json::array();
  for (const Highlight& highlight : highlights_of(run).rdma_latency) {
    if (charts.size() == histograms) break;
    const auto samples = run.samples(highlight.point);
    const TimeHistogram histogram = time_histogram(samples, bins);
    if (histogram.counts.empty()) continue;
    const PointRecord& record = run.record(highlight.point);
    Json object{{"label", highlight.label + ", " + highlight.detail},
                {"n", samples.size()},
                {"edges_s", histogram.edges_s},
                {"counts", histogram.counts}};
    if (record.time) {
      object["median_s"] = chart::number(record.time->value_s);
      object["p99_s"] = chart::number(record.time->p99_s);
    }
    charts.push_back(std::move(object));
  }
  return charts;
}

}  // namespace assay::results
