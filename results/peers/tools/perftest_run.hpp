// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One run of perftest, as its text and its JSON state it, and the points that follow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/peers/reader.hpp"
#include "results/peers/text/printed_number.hpp"

namespace assay::results::peers {

struct PerftestRun {
  std::string verb;  // "RDMA_Write", "Send"
  bool latency = false, bidirectional = false, post_list = false;
  std::string device, transport, mtu, link_type, gid_index, rdma_cm;
  std::optional<std::int64_t> qps, tx_depth, posted_together, inline_bytes;
  Fields conditions = {};
};

/// A row of bandwidth; rates in units of `bytes_per_unit` B/s.
struct PerftestRate {
  std::int64_t bytes = 0, iterations = 0;
  PrintedNumber peak, average, messages;  // messages: 10^6 a second
  double bytes_per_unit = 0;
  long line = 0;
};

struct PerftestLatency {
  std::int64_t bytes = 0, iterations = 0;
  std::optional<double> typical_us, mean_us, min_us, max_us, p99_us, p999_us;
  std::vector<double> samples_us = {};
  long line = 0;
};

inline constexpr double perftest_mib = 1 << 20, perftest_gbit = 125e6;  // B/s of one MiB/s, Gb/s

/// Sets verb and kind by "RDMA_Write Bidirectional BW Test"; false where this is not such a title.
bool read_perftest_title(std::string_view title, PerftestRun& run);

/// A point that is complete but for its numbers.
PeerPoint perftest_outline(const PerftestRun& run, std::optional<std::int64_t> bytes, long line);
/// Refuses a row whose rate is not its message rate times its size.
void add_perftest_rate(const PerftestRun& run, const PerftestRate& row, Findings& findings);
void add_perftest_latency(const PerftestRun& run, const PerftestLatency& row, Findings& findings);

}  // namespace assay::results::peers
