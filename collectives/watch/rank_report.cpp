// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/rank_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <sstream>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_listed = 8;  // of the ranks that are not late

std::string name_of(const RankReport& report) {
  return report.host.empty() ? fmt::format("rank {}", report.rank)
                             : fmt::format("rank {} ({})", report.rank, report.host);
}

/// How far a rank has come: operations, then steps of the latest.
std::pair<std::int64_t, int> progress_of(const RankReport& report) {
  if (report.latest.empty()) return {0, 0};
  return {report.latest.back().sequence, report.latest.back().step};
}

bool waits(const RankReport& report) {
  return !report.latest.empty() && report.latest.back().state == FlightState::waits;
}

bool is_done(const RankReport& report) {
  return !report.latest.empty() && report.latest.back().state == FlightState::done;
}

std::string doing_of(const RankReport& report) {
  if (!report.silent.empty()) return report.silent;
  if (report.latest.empty()) return "has begun nothing";
  const FlightEntry& entry = report.latest.back();
  const std::string operation = fmt::format("{} {}", to_text(entry.operation), entry.sequence) +
                                (entry.bytes > 0 ? fmt::format(" of {} bytes", entry.bytes) : "");
  if (entry.state == FlightState::done) return fmt::format("has done {}", operation);
  const std::string since = core::format_seconds(std::max(0.0, report.now_s - entry.began_s));
  if (entry.state == FlightState::computes)
    return fmt::format("is in {}, begun {} ago, {}", operation, since,
                       entry.step == 0 ? "before its first step" : fmt::format("after step {}", entry.step));
  return fmt::format("waits for rank{} {} in step {} of {}, begun {} ago",
                     entry.awaited.size() == 1 ? "" : "s", fmt::join(entry.awaited, ", "), entry.step,
                     operation, since);
}

std::vector<int> ranks_where(const std::vector<RankReport>& reports,
                             const std::function<bool(const RankReport&)>& is) {
  std::vector<int> ranks;
  for (const RankReport& report : reports)
    if (is(report)) ranks.push_back(report.rank);
  return ranks;
}

/// A rank that has done its part may idle; so it counts as late only where nothing else shows it.
std::vector<int> late_of(const std::vector<RankReport>& reports) {
  auto late = ranks_where(reports, [](const RankReport& report) { return !report.silent.empty(); });
  if (!late.empty() || std::ranges::none_of(reports, waits)) return late;
  late = ranks_where(reports, [](const RankReport& report) { return !waits(report) && !is_done(report); });
  if (!late.empty()) return late;
  const auto most = progress_of(*std::ranges::max_element(reports, {}, progress_of));
  auto least = most;
  for (const RankReport& report : reports)
    if (waits(report)) least = std::min(least, progress_of(report));
  late = ranks_where(reports, [&](const RankReport& report) {
    return least != most && waits(report) && progress_of(report) == least;
  });
  if (!late.empty()) return late;
  return ranks_where(reports, [&](const RankReport& report) {
    return is_done(report) && progress_of(report).first < most.first;
  });
}

}  // namespace

std::string to_text(const RankReport& report) {
  std::string text = fmt::format("{} {} {}\n", report.rank, report.now_s, report.latest.size());
  for (const FlightEntry& entry : report.latest)
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {} {} {}\n", entry.sequence,
                   to_text(entry.operation), entry.bytes, static_cast<int>(entry.state), entry.began_s,
                   entry.step, entry.awaited.size(), fmt::join(entry.awaited, " "));
  return text;
}

RankReport rank_report_from(const std::string& text) {
  std::istringstream words(text);
  RankReport report;
  std::size_t entries = 0;
  words >> report.rank >> report.now_s >> entries;
  for (std::size_t i = 0; words && i < entries; ++i) {
    FlightEntry& entry = report.latest.emplace_back();
    std::string operation;
    int state = 0;
    std::size_t awaited = 0;
    words >> entry.sequence >> operation >> entry.bytes >> state >> entry.began_s >> entry.step >> awaited;
    if (!words) break;
    entry.operation = operation_from(operation);
    entry.state = static_cast<FlightState>(std::clamp(state, 0, static_cast<int>(FlightState::done)));
    for (int rank = 0; entry.awaited.size() < awaited && words >> rank;) entry.awaited.push_back(rank);
  }
  if (!words) throw core::Error(core::ErrorKind::team, "a rank's report makes no sense");
  return report;
}

Diagnosis diagnosis_of(const std::vector<RankReport>& reports) {
  Diagnosis diagnosis;
  if (reports.empty()) return diagnosis;
  diagnosis.late = late_of(reports);
  std::vector<std::string> late, others;
  for (const RankReport& report : reports) {
    const bool is_late = std::ranges::find(diagnosis.late, report.rank) != diagnosis.late.end();
    (is_late ? late : others).push_back(fmt::format("{} {}", name_of(report), doing_of(report)));
  }
  if (others.size() > most_listed) {
    const std::size_t unlisted = others.size() - most_listed;
    others.resize(most_listed);
    others.push_back(fmt::format("and {} more", unlisted));
  }
  diagnosis.text = late.empty()
                       ? "no rank is behind: they wait for one another, so something was lost between them"
                       : fmt::format("late: {}", fmt::join(late, ", "));
  if (!others.empty()) diagnosis.text += fmt::format("; {}", fmt::join(others, ", "));
  return diagnosis;
}

}  // namespace assay::collectives
