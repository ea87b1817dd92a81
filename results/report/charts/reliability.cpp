// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Useful share of a job's time against the interval between checkpoints, and the probability of a spare node
// against their number. {checkpoints: [{kind, best_interval_s, points: [{interval_s, value, lower, upper}]}],
// spares: [{nodes, probability}]}, percent, as reliability.ts draws it.
#include "results/report/reliability.hpp"

#include "results/report/charts/chart_series.hpp"
#include "results/report/html.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

Number percent(const Number& share) {
  return mapped(share, [](double value) { return 100 * value; });
}

Table shares_table(const PredictedReliability& predicted) {
  Table table{.title = "Useful share of the time",
              .columns = {{"checkpoints", "", Kind::word},
                          {"interval", "s", Kind::number},
                          {"useful", "%", Kind::number},
                          {"best", "", Kind::word, false, true}}};
  for (const auto& kind : predicted.checkpoints)
    for (const auto& share : kind.shares)
      table.rows.push_back({kind.kind, Number{share.interval_s}, percent(share.useful),
                            share.interval_s == kind.best_interval_s ? Cell("best") : Cell()});
  return table;
}

Table spares_table(const PredictedReliability& predicted) {
  Table table{.title = "Spare nodes",
              .columns = {{"nodes", "", Kind::count}, {"restarts at once", "%", Kind::number}}};
  for (const auto& one : predicted.spares) table.rows.push_back({one.nodes, Number{100 * one.probability}});
  return table;
}

}  // namespace

Json reliability_chart(const PredictedReliability& predicted) {
  Json checkpoints = Json::array(), spares = Json::array();
  for (const auto& kind : predicted.checkpoints) {
    Json points = Json::array();
    for (const auto& share : kind.shares) {
      const Number useful = percent(share.useful);
      points.push_back({{"interval_s", share.interval_s},
                        {"value", useful.value},
                        {"lower", chart::number(useful.lower)},
                        {"upper", chart::number(useful.upper)}});
    }
    checkpoints.push_back(
        {{"kind", kind.kind}, {"best_interval_s", kind.best_interval_s}, {"points", std::move(points)}});
  }
  for (const auto& one : predicted.spares)
    spares.push_back({{"nodes", one.nodes}, {"probability", 100 * one.probability}});
  return {{"checkpoints", checkpoints}, {"spares", spares}};
}

std::string reliability_section(const std::optional<PredictedReliability>& predicted) {
  if (!predicted) return "";
  std::string html = html_note("Predicted. " + predicted->about);
  for (const std::string& caution : predicted->cautions) html += html_note("Caution: " + caution);
  html += figure("reliability", "Reliability of a job",
                 "Predicted. Left: share of the time that is useful over the interval between checkpoints; "
                 "upright strokes: the interval of the rate of failures; a ring: the best interval. Right: "
                 "probability that a job which lost nodes restarts at once, over the number of spare nodes.");
  html += numbers("Useful share", shares_table(*predicted));
  if (!predicted->spares.empty()) html += numbers("Spare nodes", spares_table(*predicted));
  return section("reliability", "What failures would cost a job", html);
}

}  // namespace assay::results
