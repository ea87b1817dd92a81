// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/arrivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::collectives {
namespace {

std::size_t kept_by_all(const std::vector<RankFigures>& by_rank) {
  std::size_t kept = by_rank.front().entries_s.size();
  for (const RankFigures& one : by_rank) kept = std::min(kept, one.entries_s.size());
  return kept;
}

/// The latest rank of each iteration.
std::vector<std::size_t> latest_ranks(const std::vector<RankFigures>& by_rank) {
  std::vector<std::size_t> latest(kept_by_all(by_rank), 0);
  for (std::size_t i = 0; i < latest.size(); ++i)
    for (std::size_t rank = 1; rank < by_rank.size(); ++rank)
      if (by_rank[rank].entries_s[i] > by_rank[latest[i]].entries_s[i]) latest[i] = rank;
  return latest;
}

std::vector<double> skews_s(const std::vector<RankFigures>& by_rank) {
  std::vector<double> skews;
  for (std::size_t i = 0; i < kept_by_all(by_rank); ++i) {
    double first = by_rank.front().entries_s[i], last = first;
    for (const RankFigures& one : by_rank) {
      first = std::min(first, one.entries_s[i]);
      last = std::max(last, one.entries_s[i]);
    }
    skews.push_back(last - first);
  }
  return skews;
}

void read_into(std::vector<double>& numbers, std::size_t count, std::istream& words) {
  double number = 0;
  while (numbers.size() < count && words >> number) numbers.push_back(number);
}

core::Metric microseconds(const std::string& name, double seconds) { return {name, "us", seconds * 1e6}; }

void add_skew(std::vector<core::Metric>& metrics, const std::vector<RankFigures>& by_rank) {
  const std::vector<double> skews = skews_s(by_rank);
  if (by_rank.size() < 2 || skews.empty()) return;
  const core::Summary summary = core::summarize(skews);
  metrics.push_back(microseconds(core::names::arrival_skew_us, summary.median));
  if (summary.p95) metrics.push_back(microseconds("arrival_skew_p95_us", *summary.p95));
  if (summary.p99) metrics.push_back(microseconds("arrival_skew_p99_us", *summary.p99));
  double worst = 0;
  for (const RankFigures& one : by_rank) worst = std::max(worst, one.clock_uncertainty_s);
  metrics.push_back(microseconds("clock_uncertainty_us", worst));
}

void add_means(std::vector<core::Metric>& metrics, const std::vector<RankFigures>& by_rank) {
  std::vector<double> means;
  for (const RankFigures& one : by_rank)
    if (one.iterations > 0) means.push_back(one.seconds / static_cast<double>(one.iterations));
  if (means.empty()) return;
  const core::Summary summary = core::summarize(means);
  metrics.push_back(microseconds(core::names::rank_mean_avg_us, summary.mean));
  metrics.push_back(microseconds(core::names::rank_mean_min_us, summary.min));
  metrics.push_back(microseconds(core::names::rank_mean_max_us, summary.max));
}

}  // namespace

std::string to_text(const std::vector<RankFigures>& figures) {
  std::string text;
  for (const RankFigures& one : figures) {
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {} {} {} {} {}", one.group, one.iterations,
                   one.seconds, one.clock_uncertainty_s, one.bytes_inside, one.bytes_across,
                   one.entries_s.size(), one.durations_s.size(), one.phase_ends_s.size());
    for (const double entry : one.entries_s) fmt::format_to(std::back_inserter(text), " {:.9f}", entry);
    for (const double took : one.durations_s) fmt::format_to(std::back_inserter(text), " {:.4e}", took);
    for (const double end : one.phase_ends_s) fmt::format_to(std::back_inserter(text), " {:.6e}", end);
    text += '\n';
  }
  return text;
}

std::vector<RankFigures> rank_figures_from(const std::string& text) {
  std::vector<RankFigures> figures;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    RankFigures& one = figures.emplace_back();
    std::size_t entries = 0, durations = 0, ends = 0;
    words >> one.group >> one.iterations >> one.seconds >> one.clock_uncertainty_s >> one.bytes_inside >>
        one.bytes_across >> entries >> durations >> ends;
    read_into(one.entries_s, entries, words);
    read_into(one.durations_s, durations, words);
    read_into(one.phase_ends_s, ends, words);
    if (!words)
      throw core::Error(core::ErrorKind::team, fmt::format("'{}': expected a rank's figures", line));
  }
  return figures;
}

std::vector<core::Metric> metrics_of(const std::vector<RankFigures>& by_rank) {
  std::vector<core::Metric> metrics;
  add_means(metrics, by_rank);
  add_skew(metrics, by_rank);
  return metrics;
}

std::vector<core::Fact> latest_of(const std::vector<RankFigures>& by_rank, const std::vector<int>& ranks) {
  const std::vector<std::size_t> latest = latest_ranks(by_rank);
  if (by_rank.size() < 2 || latest.empty()) return {};
  std::vector<std::int64_t> times(by_rank.size());
  for (const std::size_t rank : latest) ++times[rank];
  const auto most = std::ranges::max_element(times);
  return {{core::names::latest_rank,
           static_cast<std::int64_t>(ranks.at(static_cast<std::size_t>(most - times.begin())))},
          {core::names::latest_rank_share, static_cast<double>(*most) / static_cast<double>(latest.size())}};
}

namespace {

/// The slowest rank's time of each iteration that all ranks kept.
std::vector<double> slowest_s(const std::vector<RankFigures>& group) {
  std::vector<double> slowest;
  for (const RankFigures& one : group) {
    if (&one == &group.front()) slowest = one.durations_s;
    slowest.resize(std::min(slowest.size(), one.durations_s.size()));
    for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], one.durations_s[i]);
  }
  return slowest;
}

}  // namespace

std::vector<core::Metric> group_metrics(const std::vector<std::vector<RankFigures>>& by_group) {
  std::vector<core::Metric> metrics;
  std::vector<double> medians_us;
  for (std::size_t group = 0; group < by_group.size(); ++group) {
    const std::vector<double> times_s = slowest_s(by_group[group]);
    if (times_s.empty()) continue;
    medians_us.push_back(1e6 * core::summarize(times_s).median);
    metrics.push_back({fmt::format("group{}_time_us", group), "us", medians_us.back()});
    for (const core::Metric& metric : metrics_of(by_group[group]))
      if (metric.name == core::names::arrival_skew_us)
        metrics.push_back({fmt::format("group{}_arrival_skew_us", group), "us", metric.value});
  }
  if (medians_us.empty() || std::ranges::min(medians_us) <= 0) return metrics;
  metrics.push_back(
      {"slowest_over_fastest_group", "", std::ranges::max(medians_us) / std::ranges::min(medians_us)});
  return metrics;
}

void add_phases(std::vector<core::Metric>& metrics, const std::vector<RankFigures>& by_rank,
                const std::vector<std::string_view>& phases) {
  std::size_t kept = kept_by_all(by_rank);
  for (const RankFigures& one : by_rank)
    kept = std::min(kept, one.phase_ends_s.size() / std::max(phases.size(), std::size_t{1}));
  if (kept == 0) return;
  std::vector<double> before_s(kept, -std::numeric_limits<double>::infinity());
  for (const RankFigures& one : by_rank)
    for (std::size_t i = 0; i < kept; ++i) before_s[i] = std::max(before_s[i], one.entries_s[i]);
  for (std::size_t phase = 0; phase < phases.size(); ++phase) {
    std::vector<double> took_s;
    for (std::size_t i = 0; i < kept; ++i) {
      double ended_s = before_s[i];
      for (const RankFigures& one : by_rank)
        ended_s = std::max(ended_s, one.entries_s[i] + one.phase_ends_s[i * phases.size() + phase]);
      took_s.push_back(ended_s - before_s[i]);
      before_s[i] = ended_s;
    }
    metrics.push_back(
        microseconds(fmt::format("phase{}_{}_us", phase + 1, phases[phase]), core::summarize(took_s).median));
  }
}

void add_tiers(std::vector<core::Metric>& metrics, const std::vector<std::vector<RankFigures>>& by_group) {
  double inside = 0, across = 0;
  for (const std::vector<RankFigures>& group : by_group)
    for (const RankFigures& one : group) {
      inside += static_cast<double>(one.bytes_inside);
      across += static_cast<double>(one.bytes_across);
    }
  metrics.push_back({"wire_bytes_inside_nodes", "B", inside});
  metrics.push_back({"wire_bytes_across_nodes", "B", across});
}

}  // namespace assay::collectives
