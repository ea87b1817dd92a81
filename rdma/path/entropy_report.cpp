// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/entropy_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/core/error.hpp"

namespace assay::rdma {

namespace {

constexpr std::size_t most_listed = 64;

void check(const EntropyOptions& options) {
  if (options.flows.empty() || options.addresses.empty() || options.uplinks.empty())
    core::usage_error(
        "path entropy needs at least one flow, one pair of addresses and one number of uplinks");
}

/// A QP number, label or port that is not known stays a dash.
std::string known(std::uint32_t value, const char* format) {
  return value == 0 ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string flow_list(const EntropyOptions& options) {
  std::string text = fmt::format("  {:>9}  {:>9}  {:>7}  {:>8}  {:>12}  {:>12}\n", "local QP", "remote QP",
                                 "label", "UDP port", "crc32 uplink", "xor uplink");
  const int uplinks = options.uplinks.front();
  const AddressPair& pair = options.addresses.front();
  for (std::size_t at = 0; at < options.flows.size() && at < most_listed; ++at) {
    const RoceFlow& flow = options.flows[at];
    const path::FiveTuple tuple = {pair.source, pair.destination, flow.source_port};
    text += fmt::format("  {:>9}  {:>9}  {:>7}  {:>8}  {:>12}  {:>12}\n", known(flow.qps.local, "{:#x}"),
                        known(flow.qps.remote, "{:#x}"), known(flow.flow_label, "{:#x}"), flow.source_port,
                        uplink_of(tuple, path::SwitchHash::crc32, options.hash_seed, uplinks),
                        uplink_of(tuple, path::SwitchHash::xor_fold, options.hash_seed, uplinks));
  }
  if (options.flows.size() > most_listed)
    text += fmt::format("  ... and {} more\n", options.flows.size() - most_listed);
  return text + "\n";
}

std::string proposed_labels(const EntropyOptions& options) {
  std::string text;
  for (const int uplinks : options.uplinks) {
    const auto labels =
        labels_that_spread(static_cast<int>(options.flows.size()), uplinks, options.addresses.front(),
                           path::SwitchHash::crc32, options.hash_seed);
    text += fmt::format(
        "\nFlow labels that spread {} flows evenly over {} uplinks if the switch hashed by this crc32: {}\n",
        labels.size(), uplinks, fmt::join(labels, ","));
  }
  return text;
}

struct TableLine {
  int uplinks;
  std::int64_t flows;
};

}  // namespace

std::vector<EntropyRow> entropy_rows(const EntropyOptions& options) {
  check(options);
  const std::vector<path::FiveTuple> tuples = five_tuples(options.flows, options.addresses);
  std::vector<EntropyRow> rows;
  for (const int uplinks : options.uplinks) {
    const path::IdealHash ideal = path::IdealHash::simulate(static_cast<std::int64_t>(tuples.size()), uplinks,
                                                            options.rounds, options.seed);
    for (const path::SwitchHash hash : {path::SwitchHash::crc32, path::SwitchHash::xor_fold}) {
      const path::Spread spread =
          path::spread_of(uplinks_of(tuples, hash, options.hash_seed, uplinks), uplinks);
      rows.push_back({hash, spread, judge(spread.max_over_mean, ideal)});
    }
  }
  return rows;
}

std::string entropy_report(const EntropyOptions& options) {
  const std::vector<EntropyRow> rows = entropy_rows(options);
  const int ports = distinct_ports(options.flows);
  std::string text = fmt::format(
      "Path entropy, simulated: {} flows between {} pair{} of addresses, {} different UDP source port{}\n\n",
      options.flows.size() * options.addresses.size(), options.addresses.size(),
      options.addresses.size() == 1 ? "" : "s", ports, ports == 1 ? "" : "s");
  if (options.list_flows) text += flow_list(options);
  text += fmt::format("  {:<9} {:>7}  {:>7}  {:>4}  {:>8}  {:>5}  {}\n", "hash", "uplinks", "busiest", "idle",
                      "max/mean", "Jain", "against ideal hashes");
  for (const EntropyRow& row : rows)
    text += fmt::format("  {:<9} {:>7}  {:>7}  {:>4}  {:>8.2f}  {:>5.2f}  {}\n", to_string(row.hash),
                        row.spread.uplinks, row.spread.most_flows, row.spread.idle_uplinks,
                        row.spread.max_over_mean, row.spread.jain_index, row.judgement.reason);
  if (options.propose_labels) text += proposed_labels(options);
  return text;
}

std::string entropy_table(int rounds, std::uint64_t seed) {
  static constexpr TableLine lines[] = {{16, 16}, {16, 64},  {16, 256}, {16, 512},  {16, 1000},
                                        {32, 32}, {32, 512}, {64, 64},  {64, 1024}, {64, 2048}};
  std::string text = fmt::format(
      "Ideal hash, simulated: {} rounds, seed {}\n\n"
      "| uplinks | flows | flows per uplink | max/mean: median | 95 % up to | mean | exact mean | Jain: "
      "median |\n"
      "|---|---|---|---|---|---|---|---|\n",
      rounds, seed);
  for (const TableLine& line : lines) {
    const path::IdealHash ideal = path::IdealHash::simulate(line.flows, line.uplinks, rounds, seed);
    text += fmt::format("| {} | {} | {:g} | {:.2f} | {:.2f} | {:.3f} | {:.3f} | {:.2f} |\n", line.uplinks,
                        line.flows, static_cast<double>(line.flows) / line.uplinks, ideal.max_over_mean(0.5),
                        ideal.max_over_mean(0.95), ideal.mean_max_over_mean(),
                        path::exact_mean_max_over_mean(line.flows, line.uplinks), ideal.jain_index(0.5));
  }
  return text;
}

}  // namespace assay::rdma
