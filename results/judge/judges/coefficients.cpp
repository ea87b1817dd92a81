// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Times compared with what calibrated coefficients predict.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "results/judge/judges.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

void excuse(VerdictRow& row, const std::string& why) {
  row.because = why;
  row.action = Action::none;
  row.excused = true;
}

void judge_time(VerdictRow& row, const ExpectedTime& time, double expected_us, double margin,
                const ExpectationWords& words) {
  row.limit = VerdictLimit{.highest = expected_us * (1 + margin)};
  hold_against_limit(row, time.measured_us);
  row.n = 1;
  row.because = fmt::format("{} us, {:.4g} expected: {:+.1f} %{}", number_text(time.measured_us), expected_us,
                            100 * (time.measured_us.value / expected_us - 1), origin_mark({time.origin}));
  row.evidence.push_back(fmt::format("{}, run {}", time.what, time.run));
  if (row.verdict == Verdict::fail) {
    row.meaning = words.slower;
    if (words.if_slower) row.action = words.if_slower;
  }
  if (time.measured_us.upper.value_or(time.measured_us.value) < expected_us / (1 + margin))
    row.meaning = words.faster;
}

std::vector<Judged> judge_by_coefficients(const Evidence& evidence) {
  const auto files = evidence.files_of("coefficients");
  if (files.empty()) return {};
  if (!evidence.models.foretell) throw std::runtime_error("coefficients: there is no model to predict with");
  Verdicts whole{.command = "accept"};
  std::size_t together = 0;
  for (const EvidenceFile& file : files) {
    const ExpectedTimes expected = evidence.models.foretell(evidence.store, evidence.order.filter, file.name);
    together += expected.together;
    append(whole, judge_expectations(expected.times, evidence.share_of("model-margin").value_or(0),
                                     "predicted by " + file.name));
  }
  whole.subject = "model limits";
  if (together > 0) whole.notes.push_back(together_note(together));
  return {{.verdicts = std::move(whole)}};
}

}  // namespace

Verdicts judge_expectations(std::span<const ExpectedTime> times, double margin, const std::string& source,
                            const ExpectationWords& words) {
  Verdicts verdicts{.command = "accept", .subject = "model limits"};
  std::set<std::string> origins;
  for (const ExpectedTime& time : times) {
    origins.insert(time.origin);
    VerdictRow row{.unit = time.unit,
                   .kind = time.kind,
                   .metric = time.metric + " time_us",
                   .value = time.measured_us,
                   .value_unit = "us",
                   .limit_source = words.limit.empty()
                                       ? fmt::format("{}, margin {:g} %", source, 100 * margin)
                                       : words.limit,
                   .origin = time.origin};
    if (!time.expected_us)
      excuse(row, "no prediction: the coefficients have none for " + time.what);
    else if (!time.why_not.empty())
      excuse(row, time.why_not);
    else
      judge_time(row, time, *time.expected_us, margin, words);
    verdicts.rows.push_back(row);
  }
  const auto unexpected = std::ranges::count_if(verdicts.rows, &VerdictRow::excused);
  verdicts.notes = {fmt::format("{}: {} times, {} without a prediction of their own{}", source, times.size(),
                                unexpected, origin_mark(origins))};
  if (std::ranges::all_of(verdicts.rows, &VerdictRow::excused))
    verdicts.rows.push_back({.kind = "limit",
                             .metric = source,
                             .because = "nothing that was measured has a prediction",
                             .action = Action::retest});
  settle(verdicts);
  return verdicts;
}

Judge coefficients_judge() {
  return {"coefficients",
          {{.kind = JudgeInput::Kind::limit_files,
            .name = "coefficients",
            .flag = "--coefficients",
            .about = "of assay fit: what they predict limits times; may be repeated",
            .called = "the coefficients"},
           {.kind = JudgeInput::Kind::share,
            .name = "model-margin",
            .flag = "--model-margin",
            .about = "how much longer than predicted is accepted",
            .otherwise = "10%"}},
          judge_by_coefficients};
}

}  // namespace assay::results
