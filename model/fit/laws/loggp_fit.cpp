// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/loggp_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fit {
namespace {

constexpr int loggp_folds = 5;

using VerbsRows = std::vector<VerbsRow>;
using Kind = VerbsRow::Kind;

LogGp model_of(std::span<const double> coefficients) {
  return {.one_way_us = coefficients[0], .gap_us = coefficients[1], .gb_per_s = coefficients[2]};
}

RelativeProblem problem_of(const VerbsRows& rows) {
  RelativeProblem problem;
  problem.time_us = [&rows](std::size_t i, std::span<const double> coefficients) {
    return model_of(coefficients).time_us(rows[i].kind, rows[i].size_bytes);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    problem.measured_us.push_back(rows[i].time_us);
    problem.cluster.push_back(i);
  }
  return problem;
}

/// The fastest seen of each.
std::vector<double> start_of(const VerbsRows& rows) {
  double one_way_us = INFINITY, gap_us = INFINITY, gb_per_s = 0;
  for (const VerbsRow& row : rows) {
    double& least = row.kind == Kind::latency ? one_way_us : gap_us;
    least = std::min(least, row.time_us);
    gb_per_s = std::max(gb_per_s, row.size_bytes / row.time_us * 1e-3);
  }
  return {one_way_us, gap_us, gb_per_s};
}

std::size_t sizes_of(const VerbsRows& rows, Kind kind) {
  std::set<double> sizes;
  for (const VerbsRow& row : rows)
    if (row.kind == kind) sizes.insert(row.size_bytes);
  return sizes.size();
}

bool enough(const VerbsRows& rows) {
  return sizes_of(rows, Kind::latency) >= fewest_latency_sizes &&
         sizes_of(rows, Kind::stream) >= fewest_stream_sizes;
}

Coefficient bounded(const char* name, double lower, double upper) {
  return {.name = name, .value = NAN, .lower = lower, .upper = upper, .supported = false};
}

bool within_factor_of_two(const Coefficient& of) { return of.lower > 0 && of.upper < 2 * of.lower; }

void add_overhead(LogGpFit::Link& link, const std::vector<double>& overheads_us) {
  const double one_way_us = link.model.one_way_us;
  if (overheads_us.empty()) {
    const double most_us = std::min(link.model.gap_us, one_way_us / 2);
    link.overhead = bounded("o_us", 0, most_us);
    link.latency = bounded("L_us", one_way_us - 2 * most_us, one_way_us);
    return;
  }
  const auto [least_us, most_us] = std::ranges::minmax(overheads_us);
  link.overhead = {
      .name = "o_us", .value = core::quantile_of(overheads_us, 0.5), .lower = least_us, .upper = most_us};
  link.overhead.supported = within_factor_of_two(link.overhead);
  const Coefficient& whole = link.coefficients.front();
  const auto left_of = [](double whole_us, double each_us) { return std::max(0.0, whole_us - 2 * each_us); };
  link.latency = bounded("L_us", left_of(whole.lower, most_us), left_of(whole.upper, least_us));
  const double left_us = one_way_us - 2 * link.overhead.value;
  if (left_us <= 0) return;
  link.latency.value = left_us;
  link.latency.supported = within_factor_of_two(link.latency);
}

std::vector<double> overheads_of(const VerbsRows& rows, const std::string& link) {
  std::vector<double> found;
  for (const VerbsRow& row : rows)
    if (row.kind == Kind::overhead && row.link() == link) found.push_back(row.time_us);
  return found;
}

LogGpFit::Link link_of(const VerbsRows& rows, const std::vector<double>& overheads_us, std::uint64_t seed) {
  const RelativeProblem problem = problem_of(rows);
  const std::vector<double> fitted = fit_relative(problem, start_of(rows));
  LogGpFit::Link link{
      .model = model_of(fitted),
      .coefficients = with_intervals(problem, fitted, {"L_plus_2o_us", "g_us", "gb_per_s"}, seed),
      .overhead = {},
      .latency = {}};
  add_overhead(link, overheads_us);
  return link;
}

void judge_loggp(const VerbsRows& rows, std::uint64_t seed, Errors& errors) {
  for (int fold = 0; fold < loggp_folds; ++fold) {
    VerbsRows kept, held_out;
    for (const VerbsRow& row : rows)
      (split_bucket(seed, row.key()) % loggp_folds == fold ? held_out : kept).push_back(row);
    if (held_out.empty() || !enough(kept)) continue;
    const LogGp model = model_of(fit_relative(problem_of(kept), start_of(kept)));
    for (const VerbsRow& row : held_out)
      errors.add(row.size_bytes, model.time_us(row.kind, row.size_bytes), row.time_us);
  }
}

/// Each way of posting with the latencies of its operation; an operation without a stream by itself.
std::map<std::string, VerbsRows> by_link(const VerbsRows& rows) {
  std::map<std::string, VerbsRows> latencies, links;
  for (const VerbsRow& row : rows)
    if (row.kind == Kind::latency) latencies[row.link()].push_back(row);
  std::set<std::string> streaming;
  for (const VerbsRow& row : rows)
    if (row.kind == Kind::stream) links[loggp_name(row)].push_back(row), streaming.insert(row.link());
  for (auto& [name, members] : links) {
    const VerbsRows& own = latencies[members.front().link()];
    members.insert(members.end(), own.begin(), own.end());
  }
  for (const auto& [link, members] : latencies)
    if (!members.empty() && !streaming.contains(link)) links[link] = members;
  return links;
}

}  // namespace

std::string loggp_name(const VerbsRow& stream) {
  return stream.posting.empty() ? stream.link() : stream.link() + ", " + stream.posting;
}

LogGpFit fit_loggp(const Timings<VerbsRow>& timings, std::uint64_t seed) {
  LogGpFit fit;
  for (const auto& [name, rows] : by_link(timings.rows)) {
    if (!enough(rows)) {
      fit.left_out.push_back(
          fmt::format("{}: {} sizes of latency and {} of a stream; expected {} and {} or more", name,
                      sizes_of(rows, Kind::latency), sizes_of(rows, Kind::stream), fewest_latency_sizes,
                      fewest_stream_sizes));
      continue;
    }
    fit.links.emplace(name, link_of(rows, overheads_of(timings.rows, rows.front().link()), seed));
    judge_loggp(rows, seed, fit.held_out);
  }
  if (fit.links.empty())
    core::usage_error(fmt::format(
        "{}: too few rows for LogGP; expected {} sizes of latency and {} of a stream of one operation",
        timings.table.path(), fewest_latency_sizes, fewest_stream_sizes));
  return fit;
}

}  // namespace assay::model::fit
