// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The columns of linux-rdma's perftest (src/perftest_parameters.h there).
#include <fmt/format.h>

#include <map>
#include <vector>

#include "harness/core/names.hpp"
#include "results/show/peer_styles.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

std::string rule() { return std::string(87, '-'); }

struct PerftestBlock {
  bool is_latency = false;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> rows;  // by bytes and repetition
};

/// The number of timed iterations.
std::int64_t iterations_of(const PointRecord& record) {
  return record.time->n * record.iterations_per_sample;
}

std::string two_decimals(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "N/A";
}

std::string bandwidth_row(const PointRecord& record, std::int64_t bytes) {
  constexpr double mib = 1024.0 * 1024.0;
  const TimeSummary& time = *record.time;
  const bool has_rate = record.work_bytes > 0 && time.mean_s > 0 && time.min_s > 0;
  const auto rate = [&](double seconds) {
    return has_rate ? std::optional(record.work_bytes / seconds / mib) : std::nullopt;
  };
  const double average =
      has_rate && bytes > 0 ? record.work_bytes / time.mean_s / static_cast<double>(bytes) : 0;
  return fmt::format(" {:<7}    {:<10}       {:<7}            {:<7}              {}\n", bytes,
                     iterations_of(record), two_decimals(rate(time.min_s)), two_decimals(rate(time.mean_s)),
                     average > 0 ? fmt::format("{:.6f}", average * 1e-6) : "N/A");
}

std::string latency_row(const PointRecord& record, std::int64_t bytes) {
  const TimeSummary& time = *record.time;
  const bool is_single = record.iterations_per_sample == 1;
  const auto us = [](const std::optional<double>& seconds) {
    return two_decimals(seconds ? std::optional(*seconds * 1e6) : std::nullopt);
  };
  const auto of_single = [&](const std::optional<double>& seconds) {
    return us(is_single ? seconds : std::nullopt);
  };
  return fmt::format(
      " {:<7} {:<10}   {:<7}        {:<7}      {:<7}          {:<7}        {:<7}        {:<7}                "
      "{}\n",
      bytes, iterations_of(record), of_single(time.min_s), of_single(time.max_s),
      us(time.quantile == 0.5 ? std::optional(time.value_s) : std::nullopt), us(time.mean_s),
      of_single(time.cv * time.mean_s), of_single(time.p99_s), of_single(time.p999_s));
}

std::string perftest_heading(bool is_latency) {
  return is_latency ? " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
                      "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]\n"
                    : " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]\n";
}

void add_perftest_row(std::map<std::string, PerftestBlock>& blocks, const PointRecord& record) {
  const auto bytes = number_in(record.point, "bytes");
  if (!record.time || !bytes || record.metrics.empty()) return;
  const bool is_latency = record.metrics.front().name == core::names::latency_us;
  PerftestBlock& block =
      blocks
          .try_emplace(record.case_name + other_axes(record.point, {"bytes"}), PerftestBlock{is_latency, {}})
          .first->second;
  const auto size = static_cast<std::int64_t>(*bytes);
  block.rows[{size, record.repetition}] =
      is_latency ? latency_row(record, size) : bandwidth_row(record, size);
}

}  // namespace

std::string perftest_text(const RunPoints& run, const std::string& filter) {
  std::map<std::string, PerftestBlock> blocks;
  for (const StoredPoint& point : run.rows(filter.empty() ? "rdma.*" : filter))
    if (point.status == Status::ok && point.case_name.starts_with("rdma."))
      add_perftest_row(blocks, run.record(point.id));
  std::string text = fmt::format(" {} ({})\n", title_of("RDMA", run), run.origin());
  for (const auto& [name, block] : blocks) {
    text += fmt::format("{}\n {}\n{}\n{}", rule(), name, rule(), perftest_heading(block.is_latency));
    for (const auto& [key, row] : block.rows) text += row;
    text += rule() + "\n";
  }
  return text;
}

}  // namespace assay::results
