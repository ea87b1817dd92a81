// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts for Prometheus: the whole, and each row's verdict, value and limits.
#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "results/judge/verdict/exposition.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::results {
namespace {

std::string whole_families(const Verdicts& verdicts) {
  const MetricLabels subject{
      {"command", verdicts.command}, {"origin", origin_of(verdicts)}, {"subject", verdicts.subject}};
  MetricFamily verdict("assay_verdict", MetricType::gauge,
                       fmt::format("The worst verdict: {}.", verdict_codes));
  verdict.add(subject, static_cast<double>(verdicts.verdict));
  MetricFamily rows("assay_verdict_rows", MetricType::gauge,
                    "Judged rows of each verdict; excused ones were rightly not judged.");
  std::map<std::string_view, double> times;
  for (const Verdict one : every_verdict) times[to_string(one)] = 0;
  for (std::size_t at = 0; at < verdicts.rows.size(); ++at) ++times[word_of(verdicts.rows.mark(at))];
  for (const auto& [word, found] : times) {
    MetricLabels of_word = subject;
    of_word.emplace_back("verdict", std::string(word));
    rows.add(of_word, found);
  }
  MetricFamily flags("assay_expected_false_flags", MetricType::gauge,
                     "Faults expected in a sound subject of this size.");
  if (verdicts.expected_false_flags) flags.add(subject, *verdicts.expected_false_flags);
  return verdict.text() + rows.text() + flags.text();
}

MetricLabels labels_of(const Verdicts& verdicts, const VerdictRow& row) {
  return {{"command", verdicts.command},
          {"kind", row.kind},
          {"metric", row.metric},
          {"origin", row.origin},
          {"unit", row.unit}};
}

void add_verdict(const Verdicts& verdicts, const VerdictRow& row, const SeriesSink& add) {
  add(labels_of(verdicts, row), static_cast<double>(row.verdict));
}

void add_value(const Verdicts& verdicts, const VerdictRow& row, const SeriesSink& add) {
  if (!row.value) return;
  MetricLabels labels = labels_of(verdicts, row);
  labels.emplace_back("value_unit", row.value_unit);
  add(labels, row.value->value);
}

void add_limits(const Verdicts& verdicts, const VerdictRow& row, const SeriesSink& add) {
  if (!row.limit) return;
  MetricLabels labels = labels_of(verdicts, row);
  labels.emplace_back("value_unit", row.value_unit);
  labels.emplace_back("bound", "");
  for (const auto& [name, bound] :
       {std::pair("lowest", row.limit->lowest), std::pair("highest", row.limit->highest)})
    if (bound) {
      labels.back().second = name;
      add(labels, *bound);
    }
}

/// The series of a metric, from each row that counts.
EachSeries series_by(const Verdicts& verdicts,
                     void (*add_row)(const Verdicts&, const VerdictRow&, const SeriesSink&)) {
  return [&verdicts, add_row](const SeriesSink& add) {
    for (std::size_t at = 0; at < verdicts.rows.size(); ++at)
      if (!verdicts.rows.mark(at).excused) add_row(verdicts, verdicts.rows[at], add);
  };
}

}  // namespace

void write_prometheus(const Verdicts& verdicts, const core::ByteSink& sink) {
  sink(whole_families(verdicts));
  write_family({"assay_unit_verdict", MetricType::gauge,
                fmt::format("Verdict of a unit and metric: {}.", verdict_codes)},
               series_by(verdicts, add_verdict), sink);
  write_family(
      {"assay_unit_value", MetricType::gauge, "Value that was judged, in the unit that value_unit names."},
      series_by(verdicts, add_value), sink);
  write_family({"assay_unit_limit", MetricType::gauge, "Limit of the value, by bound."},
               series_by(verdicts, add_limits), sink);
}

std::string to_prometheus(const Verdicts& verdicts) {
  return core::written([&](const core::ByteSink& sink) { write_prometheus(verdicts, sink); });
}

}  // namespace assay::results
