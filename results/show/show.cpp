// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/show.hpp"

#include <set>
#include <stdexcept>

#include "results/show/tables.hpp"

namespace assay::results {
namespace {

struct Maker {
  TableName description;
  Table (*of_run)(const RunPoints&, const ShowOptions&) = nullptr;
  Table (*of_store)(const Store&, const ShowOptions&) = nullptr;  // of all its runs
};

const std::vector<Maker>& makers() {
  static const std::vector<Maker> all{
      {{"runs", "every run in the store: time, place, status of its points"}, nullptr, show_runs},
      {{"points", "each point of a run: headline value with interval, samples, why it stopped, status"},
       show_points},
      {{"cases", "each case of a run: points by status, lowest and highest value"}, show_cases},
      {{"gemm", "efficiency of transformer blocks against tensor-parallel degree, per layer and whole"},
       show_gemm},
      {{"memory", "bandwidth by kernel, size, threads, store and pages"}, show_memory},
      {{"latency", "the latency ladder over footprint"}, show_latency},
      {{"copies", "copies between host and GPUs, and among GPUs: bandwidth, percent of the link"},
       show_copies},
      {{"rdma", "RDMA bandwidth and message rate, percent of the port's ceiling, class of the link"},
       show_rdma},
      {{"rdma_latency", "RDMA latency: median, tail, maximum, the cold first message, class of the link"},
       show_rdma_latency},
      {{"rdma_pairs", "each flow of the points that ran several at once, the slowest first"},
       show_rdma_pairs},
      {{"counters", "counters of links around every point: moved, unchanged, unknown"}, show_counters},
      {{"collectives", "collectives: time of the slowest rank, algbw, busbw, arrival skew"},
       show_collectives},
      {{"crossover", "which algorithm wins at which size, and what the library's choice costs"},
       show_crossover},
      {{"tradeoffs",
        "settings of each traffic pattern: rate, tail, queue pairs or channels, and the Pareto front"},
       show_tradeoffs},
      {{"transports", "TCP, shared memory and verbs side by side: bandwidth, latency, CPU seconds a GB"},
       show_transports},
      {{"corruption", "bytes verified against silent corruption, and each unit's digest against its equals'"},
       nullptr,
       show_corruption},
      {{"detection", "planted faults that the corruption probes' self-tests detected, by type and bit"},
       show_detection},
      {{"problems", "points that are not ok, with the reason"}, show_problems}};
  return all;
}

Table table_of_run(const Maker& maker, const RunPoints& run, const ShowOptions& options) {
  Table table = maker.of_run(run, options);
  table.origin = run.origin();
  for (const std::string& cut : run.cut_short()) table.notes.push_back("Made of " + cut + ".");
  return table;
}

}  // namespace

std::vector<TableName> table_descriptions() {
  std::vector<TableName> descriptions;
  for (const Maker& maker : makers()) descriptions.push_back(maker.description);
  return descriptions;
}

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const Maker& maker : makers()) names.push_back(maker.description.name);
  return names;
}

Table make_table(const Store& store, const std::string& name, const ShowOptions& options) {
  std::string known;
  for (const Maker& maker : makers()) {
    if (maker.description.name == name)
      return within_limit(maker.of_run != nullptr
                              ? table_of_run(maker, RunPoints(store, options.run), options)
                              : maker.of_store(store, options),
                          options);
    known += (known.empty() ? "" : ", ") + maker.description.name;
  }
  throw std::runtime_error("no table '" + name + "': expected one of " + known);
}

std::string title_of(const std::string& what, const RunPoints& run) {
  std::set<std::string> hosts;
  for (const ContextRecord& context : run.contexts()) hosts.insert(context.host);
  std::string where;
  for (const auto& host : hosts) where += (where.empty() ? " on " : ", ") + host;
  return what + " of run " + run.stored().run_id + where;
}

Table within_limit(Table table, const ShowOptions& options) {
  const auto limit = static_cast<std::size_t>(limit_of(options));
  if (table.rows.size() <= limit) return table;
  table.notes.insert(table.notes.begin(), "The first " + std::to_string(limit) + " of " +
                                              std::to_string(table.rows.size()) +
                                              " rows; a limit shows more.");
  table.rows.resize(limit);
  return table;
}

}  // namespace assay::results
