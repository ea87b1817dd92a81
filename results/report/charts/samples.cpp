// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every sample behind a few headline numbers, in the order taken: of the last latency step of each ladder,
// the best kernels, the best dtypes, copies, the fabric's bandwidth (its latency has a histogram).
#include "results/report/charts/chart_series.hpp"
#include "results/report/sections.hpp"
#include "results/show/highlights.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t sample_charts_drawn = 8, samples_drawn = 1000;

Json sample_chart(const RunPoints& run, const Highlight& highlight) {
  const PointRecord& record = run.record(highlight.point);
  const auto samples = run.samples(highlight.point);
  Json values = Json::array();
  for (const double sample : chart::thinned(samples, samples_drawn)) values.push_back(chart::number(sample));
  Json object{{"case", record.case_name},    {"point", record.key}, {"label", highlight.label},
              {"drifting", record.drifting}, {"stop", record.stop}, {"n", samples.size()},
              {"samples_s", values}};
  if (record.time) chart::put(object, {record.time->value_s, record.time->lower_s, record.time->upper_s});
  return object;
}

}  // namespace

Json sample_charts(const RunPoints& run) {
  const Highlights highlights = highlights_of(run);
  std::vector<Highlight> chosen;
  const auto take = [&](const std::vector<Highlight>& from, std::size_t count) {
    for (std::size_t i = 0; i < from.size() && i < count; ++i) chosen.push_back(from[i]);
  };
  take(highlights.bandwidth, 2);
  std::vector<Highlight> memory;
  for (const Highlight& step : highlights.latency)
    if (step.label == "memory") memory.push_back(step);
  take(memory, 2);
  take(highlights.gemm, 2);
  take(highlights.copies, 2);
  take(highlights.rdma_bandwidth, 2);
  Json charts = Json::array();
  for (const Highlight& highlight : chosen)
    if (charts.size() < sample_charts_drawn) charts.push_back(sample_chart(run, highlight));
  return charts;
}

}  // namespace assay::results
