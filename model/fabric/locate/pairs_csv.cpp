// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/pairs_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/core/in_order.hpp"
#include "harness/path/switch_hash.hpp"
#include "harness/path/udp_port.hpp"
#include "model/fit/rows/possible_rates.hpp"

namespace assay::model::fabric::locate {

namespace {

constexpr double bytes_per_us_of_gb_per_s = 1000, bytes_per_s_of_gb_per_s = 1e9;
constexpr double least_gb_per_s = 1e-9;  // no link is as slow

std::vector<std::string> parts_of(const std::string& cell) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < cell.size();) {
    const std::size_t end = std::min(cell.find(';', begin), cell.size());
    parts.push_back(cell.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

class PairRows {
 public:
  PairRows(const fit::CsvTable& table, const Topology& topology, const NodeNames& names)
      : table_(table), topology_(topology), names_(names) {}

  MeasuredFlow flow(std::size_t row) const {
    MeasuredFlow flow;
    flow.source = names_.host(table_.text(row, "from"), table_.where(row, "from"));
    flow.destination = names_.host(table_.text(row, "to"), table_.where(row, "to"));
    if (flow.source == flow.destination) table_.complain(row, "to", "expected another host than 'from'");
    flow.queue_pairs = queue_pairs(row, flow);
    return flow;
  }

  void see_addresses(std::size_t row, const MeasuredFlow& flow, MeasuredPairs& pairs) const {
    for (const auto& [column, host] :
         {std::pair("from_address", flow.source), std::pair("to_address", flow.destination)}) {
      const std::string address = table_.text(row, column);
      if (!address.empty() && !path::is_address(address))
        table_.complain(row, column, "expected an IPv4 or IPv6 address, got '" + address + "'");
      if (!pairs.see_address(host, address))
        table_.complain(row, column, "expected the address that the host had before");
    }
  }

  /// Bytes/us.
  double rate(std::size_t row) const {
    if (table_.has("gb_per_s")) return plausible(row, "gb_per_s", table_.positive(row, "gb_per_s"));
    const double bytes_per_us = table_.positive(row, "bytes") / table_.positive(row, "time_us");
    return plausible(row, "time_us", bytes_per_us / bytes_per_us_of_gb_per_s);
  }

  double relative_error(std::size_t row) const {
    if (table_.text(row, "error_gb_per_s").empty()) return 0;
    const double error = table_.positive(row, "error_gb_per_s"), gb_per_s = table_.positive(row, "gb_per_s");
    if (error > gb_per_s)
      table_.complain(row, "error_gb_per_s",
                      fmt::format("expected at most gb_per_s, {:g}, got {:g}", gb_per_s, error));
    return error / gb_per_s;
  }

  std::uint32_t number(std::size_t row, const std::string& column) const {
    return static_cast<std::uint32_t>(
        whole(row, column, table_.text(row, column), std::numeric_limits<std::uint32_t>::max()));
  }

 private:
  /// In bytes/us.
  double plausible(std::size_t row, const std::string& column, double gb_per_s) const {
    const double most_gb_per_s = fit::exchange_rate().refused / bytes_per_s_of_gb_per_s;
    if (!(gb_per_s >= least_gb_per_s && gb_per_s <= most_gb_per_s))
      table_.complain(row, column,
                      fmt::format("expected a rate from {:g} to {:g} GB/s, got {:g}", least_gb_per_s,
                                  most_gb_per_s, gb_per_s));
    return gb_per_s * bytes_per_us_of_gb_per_s;
  }

  std::uint64_t whole(std::size_t row, const std::string& column, const std::string& text,
                      std::uint64_t most) const {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number > most)
      table_.complain(row, column,
                      "expected a whole number from 0 to " + std::to_string(most) + ", got '" + text + "'");
    return number;
  }

  std::vector<std::uint32_t> numbers(std::size_t row, const std::string& column, std::uint64_t most) const {
    std::vector<std::uint32_t> numbers;
    for (const std::string& part : parts_of(table_.text(row, column)))
      numbers.push_back(static_cast<std::uint32_t>(whole(row, column, part, most)));
    return numbers;
  }

  std::size_t unknown_pairs(std::size_t row) const {
    constexpr std::int64_t most = 256;
    if (table_.text(row, "queue_pairs").empty()) return 1;
    const std::int64_t pairs = table_.count(row, "queue_pairs");
    if (pairs > most)
      table_.complain(row, "queue_pairs", "expected at most 256, got " + std::to_string(pairs));
    return static_cast<std::size_t>(pairs);
  }

  std::vector<MeasuredQueuePair> queue_pairs(std::size_t row, const MeasuredFlow& flow) const {
    const std::string via = table_.text(row, "via");
    if (!via.empty()) return {{std::nullopt, path(row, flow, parts_of(via))}};
    const auto ports = numbers(row, "source_port", 0xFFFF);
    const auto sources = numbers(row, "source_qpn", path::qp_number_mask);
    auto destinations = numbers(row, "destination_qpn", path::qp_number_mask);
    if (ports.empty() && sources.empty()) return std::vector<MeasuredQueuePair>(unknown_pairs(row));
    const std::size_t count = ports.empty() ? sources.size() : ports.size();
    if (destinations.empty() && sources.empty()) destinations.resize(count);  // read by e_ecmp only
    if (destinations.size() != count)
      table_.complain(
          row, "destination_qpn",
          "expected " + std::to_string(count) + " numbers, one for each queue pair, separated by ';'");
    std::vector<MeasuredQueuePair> pairs;
    for (std::size_t at = 0; at < count; ++at) {
      const std::uint16_t port = ports.empty() ? path::udp_source_port(0, sources[at], destinations[at])
                                               : static_cast<std::uint16_t>(ports[at]);
      pairs.push_back({QueuePairPorts{port, destinations[at]}, {}});
    }
    return pairs;
  }

  /// From host to host over these switches; of parallel cables, the first.
  std::vector<LinkId> path(std::size_t row, const MeasuredFlow& flow,
                           const std::vector<std::string>& switches) const {
    std::vector<LinkId> path = {flow.source};
    for (const std::string& name : switches) {
      const NodeId from = topology_.to(path.back()), to = names_.node(name, table_.where(row, "via"));
      if (path.size() == 1 && from == to) continue;
      const bool up = from < to;
      LinkId link = up ? topology_.first_up(from) : topology_.first_down(from);
      const LinkId end = up ? topology_.end_up(from) : topology_.end_down(from);
      while (link < end && topology_.to(link) != to) ++link;
      if (link == end) table_.complain(row, "via", "no cable leads to '" + name + "' from the one before");
      path.push_back(link);
    }
    if (topology_.to(path.back()) != topology_.leaf_of(flow.destination))
      table_.complain(row, "via", "the path does not end at the switch of '" + table_.text(row, "to") + "'");
    path.push_back(topology_.link_to_host(flow.destination));
    return path;
  }

  const fit::CsvTable& table_;
  const Topology& topology_;
  const NodeNames& names_;
};

fit::CsvTable read_table(const fit::CsvSource& source) {
  const fit::CsvTable table = fit::CsvTable::read(
      source, {{"from", "to"},
               {"gb_per_s", "bytes", "time_us", "error_gb_per_s", "round", "measurement", "source_port",
                "source_qpn", "destination_qpn", "from_address", "to_address", "queue_pairs", "via"}});
  if (!table.has("gb_per_s") && (!table.has("bytes") || !table.has("time_us")))
    core::usage_error(table.path() + ": expected a column 'gb_per_s', or 'bytes' and 'time_us'");
  if (table.has("error_gb_per_s") && !table.has("gb_per_s"))
    core::usage_error(table.path() + ": the column 'error_gb_per_s' needs a column 'gb_per_s'");
  return table;
}

}  // namespace

bool MeasuredPairs::see_address(NodeId host, const std::string& address) {
  if (address.empty()) return true;
  const auto [known, is_new] = addresses.emplace(host, address);
  if (known->second == address) return true;
  known->second.clear();
  return false;
}

MeasuredPairs read_pairs(const fit::CsvSource& source, const Topology& topology, const NodeNames& names) {
  const fit::CsvTable table = read_table(source);
  const PairRows rows(table, topology, names);
  core::InOrder<std::string, Measurement> measurements;
  MeasuredPairs pairs;
  pairs.origin = table.origin();
  if (table.has("round")) pairs.concurrency = Concurrency::together;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string key = table.has("measurement") ? table.text(row, "measurement") : std::to_string(row);
    Measurement& one = measurements[key];
    const double rate = rows.rate(row);
    if (one.flows.empty() || rate < one.rate) {
      one.rate = rate;
      one.relative_error = rows.relative_error(row);
    }
    if (table.has("round")) one.round = rows.number(row, "round");
    one.flows.push_back(rows.flow(row));
    rows.see_addresses(row, one.flows.back(), pairs);
    const MeasuredQueuePair& first = one.flows.back().queue_pairs.front();
    pairs.known_paths += first.ports || !first.path.empty() ? 1 : 0;
    ++pairs.flows;
  }
  for (auto& [key, measurement] : measurements.take()) pairs.measurements.push_back(std::move(measurement));
  return pairs;
}

}  // namespace assay::model::fabric::locate
