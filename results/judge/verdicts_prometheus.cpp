// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "results/judge/valid_text.hpp"
#include "results/judge/verdicts.hpp"

namespace assay::results {
namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

/// In a label's value a backslash, a quotation mark and a line feed are escaped.
std::string label_value(const std::string& text) {
  std::string escaped;
  for (const char byte : valid_text(text)) {
    if (byte == '\\' || byte == '"') escaped += '\\';
    escaped += byte == '\n' ? std::string("\\n") : std::string(1, byte);
  }
  return escaped;
}

/// One metric with all of its series, as the format wants them: together. Of series with the same labels the
/// greatest value is told, for there must not be two.
class Family {
 public:
  Family(std::string_view name, std::string_view help)
      : text_(fmt::format("# HELP {} {}\n# TYPE {} gauge\n", name, help, name)), name_(name) {}

  void add(const Labels& labels, double value) {
    if (!std::isfinite(value)) return;
    std::string series;
    for (const auto& [label, text] : labels)
      series += fmt::format("{}{}=\"{}\"", series.empty() ? "" : ",", label, label_value(text));
    const auto [at, fresh] = place_.try_emplace(series, series_.size());
    if (fresh)
      series_.emplace_back(std::move(series), value);
    else
      series_[at->second].second = std::max(series_[at->second].second, value);
  }

  std::string text() const {
    if (series_.empty()) return "";
    std::string text = text_;
    for (const auto& [labels, value] : series_) text += fmt::format("{}{{{}}} {}\n", name_, labels, value);
    return text;
  }

 private:
  std::string text_, name_;
  std::map<std::string, std::size_t> place_;
  std::vector<std::pair<std::string, double>> series_;
};

constexpr std::string_view codes = "0 PASS, 1 NOT_RUN, 2 INCONCLUSIVE, 3 FAIL";

std::string whole(const Verdicts& verdicts) {
  const Labels subject{{"command", verdicts.command}, {"subject", verdicts.subject}};
  Family verdict("assay_verdict", fmt::format("The worst verdict: {}.", codes));
  verdict.add(subject, static_cast<double>(verdicts.verdict));
  Family rows("assay_verdict_rows", "Judged rows of each verdict; excused ones were rightly not judged.");
  std::map<std::string_view, double> count{{"PASS", 0}, {"NOT_RUN", 0}, {"INCONCLUSIVE", 0}, {"FAIL", 0}};
  for (const VerdictRow& row : verdicts.rows) ++count[word_of(row)];
  for (const auto& [word, found] : count)
    rows.add({{"command", verdicts.command}, {"subject", verdicts.subject}, {"verdict", std::string(word)}},
             found);
  Family flags("assay_expected_false_flags", "Faults expected in a sound subject of this size.");
  if (verdicts.expected_false_flags) flags.add(subject, *verdicts.expected_false_flags);
  return verdict.text() + rows.text() + flags.text();
}

}  // namespace

std::string to_prometheus(const Verdicts& verdicts) {
  Family verdict("assay_unit_verdict", fmt::format("Verdict of a unit and metric: {}.", codes));
  Family value("assay_unit_value", "Value that was judged, in the unit that value_unit names.");
  Family limit("assay_unit_limit", "Limit of the value, by bound.");
  for (const VerdictRow& row : verdicts.rows) {
    if (row.excused) continue;
    const Labels of_row{
        {"command", verdicts.command}, {"kind", row.kind}, {"metric", row.metric}, {"unit", row.unit}};
    verdict.add(of_row, static_cast<double>(row.verdict));
    Labels of_value = of_row;
    of_value.emplace_back("value_unit", row.value_unit);
    if (row.value) value.add(of_value, row.value->value);
    const VerdictLimit bounds = row.limit.value_or(VerdictLimit{});
    for (const auto& [name, bound] :
         {std::pair("lowest", bounds.lowest), std::pair("highest", bounds.highest)})
      if (bound) {
        Labels of_bound = of_value;
        of_bound.emplace_back("bound", name);
        limit.add(of_bound, *bound);
      }
  }
  return whole(verdicts) + verdict.text() + value.text() + limit.text();
}

}  // namespace assay::results
