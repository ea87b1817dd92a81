// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPUDirect against host memory: where a host measured the same bandwidth with messages in both (axis
// `memory`), may device memory be slower? A peer-to-peer path through a root complex, ACS that is on, or a
// GPU far from the adapter shows as such a loss. Small messages and latencies are bound by other things, and
// are not judged.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "results/judge/fleet/fleet_point.hpp"
#include "results/judge/judges.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr double memory_margin = 0.05;       // of the bandwidth of host memory
constexpr std::int64_t least_bytes = 65536;  // of a message

struct PlacedKey {
  std::string memory, rest;  // "cuda_dmabuf", and the key without it
  std::int64_t bytes = 0;
};

PlacedKey placed(const std::string& key) {
  PlacedKey found;
  std::istringstream axes(key);
  for (std::string axis; std::getline(axes, axis, ',');) {
    if (axis.starts_with("memory="))
      found.memory = axis.substr(7);
    else
      found.rest += (found.rest.empty() ? "" : ",") + axis;
    if (axis.starts_with("bytes=")) found.bytes = std::strtoll(axis.c_str() + 6, nullptr, 10);
  }
  return found;
}

/// Bandwidths of a point in one kind of memory, over runs and repetitions.
struct Bandwidths {
  std::vector<double> gb_per_s;
  std::optional<double> lower, upper;
  std::string why_not;  // one of them cannot be judged

  void add(const Number& value) {
    const double low = value.lower.value_or(value.value), high = value.upper.value_or(value.value);
    gb_per_s.push_back(value.value);
    lower = std::min(lower.value_or(low), low);
    upper = std::max(upper.value_or(high), high);
  }
};

struct Memories {
  std::map<std::string, Bandwidths> of;  // by the word of the axis
  std::set<std::string> origins;
};

using AllMemories =
    std::map<std::pair<std::string, std::string>, Memories>;  // by host, case and the other axes

void take(const FleetPoint& point, const ContextRecord& context, AllMemories& all) {
  const PlacedKey key = placed(point.key);
  if (key.memory.empty() || key.bytes < least_bytes || point.evidence.status == Status::unsupported) return;
  if (point.evidence.status == Status::ok && point.evidence.metric != core::names::bandwidth_gb_per_s) return;
  Memories& memories = all[{context.host, point.case_name + "/" + key.rest}];
  memories.origins.insert(to_string(context.origin));
  Bandwidths& bandwidths = memories.of[key.memory];
  if (const auto doubt = doubt_about(point.evidence, point.samples_s))
    bandwidths.why_not = doubt->why;
  else if (point.evidence.status != Status::ok)
    bandwidths.why_not = to_string(point.evidence.status) + ": " + point.reason;
  else
    bandwidths.add(point.evidence.value);
}

AllMemories memories_in(const Store& store, const std::string& filter) {
  AllMemories all;
  FleetPoints points(store, filter, "rdma.*");
  for (const StoredRun& run : whole_runs(store)) {
    std::optional<std::map<std::int64_t, ContextRecord>> contexts;  // most runs of a fleet have no such point
    points.begin(run);
    while (const FleetPoint* point = points.next()) {
      if (!contexts) contexts = contexts_by_process(store, run);
      const auto context = contexts->find(point->process);
      if (context != contexts->end()) take(*point, context->second, all);
    }
  }
  return all;
}

void judge_memory(VerdictRow& row, const Bandwidths& host, const Bandwidths& device,
                  const std::set<std::string>& origins) {
  row.n = static_cast<std::int64_t>(device.gb_per_s.size());
  for (const Bandwidths* one : {&host, &device})
    if (!one->why_not.empty()) {
      row.verdict = Verdict::inconclusive;
      row.because = one->why_not;
      row.action = Action::retest;
      return;
    }
  const double of_host = core::quantile_of(host.gb_per_s, 0.5),
               of_device = core::quantile_of(device.gb_per_s, 0.5);
  hold_against_limit(
      row, {100 * of_device / of_host, 100 * *device.lower / *host.upper, 100 * *device.upper / *host.lower});
  row.because = fmt::format("{:.4g} GB/s from device memory, {:.4g} GB/s from host memory{}", of_device,
                            of_host, origin_mark(origins));
  if (row.verdict == Verdict::fail)
    row.meaning = "GPU and adapter are far apart, or ACS sends their traffic through the root complex";
}

std::vector<Judged> judge_memories(const Evidence& evidence) {
  if (!evidence.order.accept) return {};
  Verdicts verdicts{.command = "accept", .subject = "GPUDirect against host memory"};
  for (const auto& [name, memories] : memories_in(evidence.store, evidence.order.filter)) {
    const auto host = memories.of.find("host");
    if (host == memories.of.end()) continue;
    for (const auto& [memory, bandwidths] : memories.of) {
      if (!memory.starts_with("cuda")) continue;
      VerdictRow row;
      row.unit = name.first;
      row.kind = "host";
      row.metric = fmt::format("{} memory={} against host", name.second, memory);
      row.value_unit = "% of host memory's bandwidth";
      row.limit = VerdictLimit{.lowest = 100 * (1 - memory_margin)};
      row.limit_source = "margin of this judge";
      row.origin = origin_words(memories.origins);
      judge_memory(row, host->second, bandwidths, memories.origins);
      verdicts.rows.push_back(row);
    }
  }
  if (verdicts.rows.empty()) return {};
  settle(verdicts);
  return {{.verdicts = std::move(verdicts)}};
}

}  // namespace

Judge gpudirect_judge() { return {"gpudirect", {}, judge_memories}; }

}  // namespace assay::results
