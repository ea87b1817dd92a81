// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/flow_set.hpp"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "harness/core/error.hpp"
#include "harness/path/udp_port.hpp"

namespace assay::rdma {

namespace {

constexpr std::uint64_t most_flows = 1 << 20;

/// A run written FIRST+STEP*COUNT: what is before the plus sign, and the two numbers behind it.
struct Run {
  std::string first;
  std::uint64_t step = 0, count = 1;
};

std::uint64_t number(const std::string& text, std::uint64_t most, const std::string& what) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char* end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [stopped, error] =
      std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, value, hexadecimal ? 16 : 10);
  if (error != std::errc{} || stopped != end || value > most)
    core::usage_error(
        fmt::format("'{}' is not a valid {}: expected 0 to {}, decimal or 0x", text, what, most));
  return value;
}

Run split_run(const std::string& item, const std::string& what) {
  const auto plus = item.find('+');
  if (plus == std::string::npos) return {item};
  const auto times = item.find('*', plus);
  if (times == std::string::npos)
    core::usage_error(fmt::format("{} '{}': a run is written FIRST+STEP*COUNT, e.g. 0x11a+1*16", what, item));
  Run run = {.first = item.substr(0, plus),
             .step = number(item.substr(plus + 1, times - plus - 1), path::flow_label_mask, "step"),
             .count = number(item.substr(times + 1), most_flows, "count")};
  if (run.count == 0) core::usage_error(fmt::format("{} '{}': a run of no flow", what, item));
  return run;
}

std::vector<std::string> items(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

std::uint32_t in_range(std::uint64_t value, std::uint64_t most, const std::string& what) {
  if (value > most)
    core::usage_error(fmt::format("the run leaves the range of {}s: {} is above {}", what, value, most));
  return static_cast<std::uint32_t>(value);
}

void check_count(std::size_t flows) {
  if (flows > most_flows) core::usage_error(fmt::format("more than {} flows", most_flows));
}

}  // namespace

std::vector<QpPair> parse_qp_pairs(const std::string& text) {
  const std::string what = "QP number";
  std::vector<QpPair> pairs;
  for (const std::string& item : items(text)) {
    const Run run = split_run(item, "QP pair");
    const auto colon = run.first.find(':');
    if (colon == std::string::npos)
      core::usage_error(fmt::format("QP pair '{}': expected LOCAL:REMOTE, e.g. 0x11a:0x2c4", item));
    const std::uint64_t local = number(run.first.substr(0, colon), path::qp_number_mask, what);
    const std::uint64_t remote = number(run.first.substr(colon + 1), path::qp_number_mask, what);
    if (local == 0 || remote == 0)
      core::usage_error(fmt::format("QP pair '{}': QP 0 carries management only", item));
    for (std::uint64_t at = 0; at < run.count; ++at)
      pairs.push_back({in_range(local + at * run.step, path::qp_number_mask, what),
                       in_range(remote + at * run.step, path::qp_number_mask, what)});
    check_count(pairs.size());
  }
  return pairs;
}

std::vector<std::uint32_t> parse_numbers(const std::string& text, std::uint32_t most,
                                         const std::string& what) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& item : items(text)) {
    const Run run = split_run(item, what);
    const std::uint64_t first = number(run.first, most, what);
    for (std::uint64_t at = 0; at < run.count; ++at)
      numbers.push_back(in_range(first + at * run.step, most, what));
    check_count(numbers.size());
  }
  return numbers;
}

std::vector<RoceFlow> flows_of_qps(const std::vector<QpPair>& pairs, const std::vector<std::uint32_t>& labels,
                                   PortRule rule) {
  std::vector<RoceFlow> flows;
  flows.reserve(pairs.size());
  for (std::size_t at = 0; at < pairs.size(); ++at) {
    const QpPair& pair = pairs[at];
    const std::uint32_t given = labels.empty() ? 0 : labels[at % labels.size()];
    const std::uint32_t label = given == 0 ? path::flow_label_of_qps(pair.local, pair.remote) : given;
    if (rule == PortRule::rxe_ud)
      flows.push_back({pair, 0, path::rxe_source_port(pair.local)});
    else
      flows.push_back({pair, label, path::udp_source_port(label)});
  }
  return flows;
}

std::vector<RoceFlow> flows_of_labels(const std::vector<std::uint32_t>& labels) {
  std::vector<RoceFlow> flows;
  flows.reserve(labels.size());
  for (const std::uint32_t label : labels) {
    if (label == 0) core::usage_error("flow label 0 means: of the QP numbers; name those with --qps");
    flows.push_back({{}, label, path::udp_source_port(label)});
  }
  return flows;
}

std::vector<RoceFlow> flows_of_ports(const std::vector<std::uint32_t>& ports) {
  std::vector<RoceFlow> flows;
  flows.reserve(ports.size());
  for (const std::uint32_t port : ports) flows.push_back({{}, 0, static_cast<std::uint16_t>(port)});
  return flows;
}

std::vector<path::FiveTuple> five_tuples(const std::vector<RoceFlow>& flows,
                                         const std::vector<AddressPair>& addresses) {
  std::vector<path::FiveTuple> all;
  all.reserve(flows.size() * addresses.size());
  for (const AddressPair& pair : addresses)
    for (const RoceFlow& flow : flows) all.push_back({pair.source, pair.destination, flow.source_port});
  return all;
}

int distinct_ports(const std::vector<RoceFlow>& flows) {
  std::set<std::uint16_t> ports;
  for (const RoceFlow& flow : flows) ports.insert(flow.source_port);
  return static_cast<int>(ports.size());
}

std::vector<std::uint32_t> labels_that_spread(int flows, int uplinks, const AddressPair& addresses,
                                              path::SwitchHash hash, std::uint32_t seed) {
  if (flows < 1 || uplinks < 1) core::usage_error("labels are searched for 1 flow and 1 uplink at least");
  const int most = (flows + uplinks - 1) / uplinks;
  std::vector<int> used(static_cast<std::size_t>(uplinks), 0);
  std::vector<std::uint32_t> labels;
  for (std::uint32_t label = 1;
       label <= path::flow_label_mask && labels.size() < static_cast<std::size_t>(flows); ++label) {
    const path::FiveTuple flow = {addresses.source, addresses.destination, path::udp_source_port(label)};
    int& on_uplink = used[static_cast<std::size_t>(uplink_of(flow, hash, seed, uplinks))];
    if (on_uplink == most) continue;
    ++on_uplink;
    labels.push_back(label);
  }
  return labels;
}

}  // namespace assay::rdma
