// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The JSON of Google Benchmark. An entry of run_type "aggregate" is computed from others and is no
// measurement; times are in the unit of each entry.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"

namespace assay::results::peers {
namespace {

bool google_benchmark_opens(Lines lines, std::size_t at, std::size_t) {
  constexpr std::array<std::string_view, 1> keys{"benchmarks"};
  return opens_json(lines, at, keys);
}

std::optional<double> microseconds_in(const std::string& unit) {
  if (unit == "ns") return 1e-3;
  if (unit == "us") return 1.0;
  if (unit == "ms") return 1e3;
  return unit == "s" ? std::optional(1e6) : std::nullopt;
}

/// "BM_copy/1048576" of "BM_copy/1048576/repeats:3": repetitions are no part of what was measured.
std::string without_repeats(std::string name) {
  const std::size_t at = name.find("/repeats:");
  if (at == std::string::npos) return name;
  return name.erase(at, std::min(name.find('/', at + 1), name.size()) - at);
}

class GoogleBenchmark {
 public:
  GoogleBenchmark(const JsonNode& root, Findings& findings) : root_(root), findings_(findings) {}

  void read() {
    findings_.tool = "google-benchmark";
    if (const JsonNode* context = root_.find("context")) read_context(*context);
    const JsonNode* entries = root_.find("benchmarks");
    if (!entries || !entries->is_array() || entries->items.empty())
      return findings_.refusals.push_back({root_.line, "no benchmark is in the object"});
    std::set<std::string> aggregated, measured;
    for (const JsonNode& entry : entries->items) {
      if (!entry.is_object() || entry.torn) continue;
      const bool aggregate = text_member(entry, "run_type") == "aggregate";
      (aggregate ? aggregated : measured).insert(run_name(entry));
      if (!aggregate) add(entry);
    }
    for (const std::string& name : aggregated)
      if (!measured.contains(name))
        findings_.refusals.push_back(
            {root_.line, "benchmark '" + name +
                             "' has aggregates alone, which are no measurement: run it without "
                             "--benchmark_report_aggregates_only"});
  }

 private:
  void read_context(const JsonNode& context) {
    host_ = text_member(context, "host_name");
    started_ = text_member(context, "date");
    findings_.version = without_v(text_member(context, "library_version"));
    if (const std::string program = text_member(context, "executable"); !program.empty())
      program_ = program.substr(program.find_last_of('/') + 1);
    if (text_member(context, "library_build_type") == "debug")
      add_doubt(findings_.doubts, {DoubtKind::debug_build});
    if (truth_member(context, "cpu_scaling_enabled")) add_doubt(findings_.doubts, {DoubtKind::clock_scaling});
  }

  static std::string run_name(const JsonNode& entry) {
    const std::string name = text_member(entry, "run_name");
    return without_repeats(name.empty() ? text_member(entry, "name") : name);
  }

  PeerPoint outline(const JsonNode& entry) const {
    PeerPoint point;
    point.host = host_;
    point.started = started_;
    point.line = entry.line;
    point.case_name = "peers.google_benchmark.run";
    point.axes.emplace_back("benchmark", run_name(entry));
    if (!program_.empty()) point.axes.emplace_back("program", program_);
    const std::int64_t threads = whole_member(entry, "threads").value_or(1);
    point.axes.emplace_back("threads", threads);
    point.metric = "time_us";
    point.unit = "us";
    point.statistic = threads > 1 ? "time over the iterations of all threads" : "mean over iterations";
    return point;
  }

  void add(const JsonNode& entry) {
    PeerPoint point = outline(entry);
    const JsonNode* const error = entry.find("error_occurred");
    if (truth_member(entry, "error_occurred") || truth_member(entry, "skipped")) {
      const std::string words = text_member(entry, error ? "error_message" : "skip_message");
      point.status = error ? Status::failed : Status::unsupported;
      point.reason = words.empty() ? "the benchmark was skipped" : words;
      return findings_.points.push_back(std::move(point));
    }
    const auto time = number_member(entry, "real_time"), cpu = number_member(entry, "cpu_time");
    const auto unit = microseconds_in(text_member(entry, "time_unit"));
    if (!time || !unit)
      return findings_.refusals.push_back(
          {entry.line, !unit ? "time_unit: expected ns, us, ms or s: the entry was left out"
                             : "real_time: expected a number: the entry was left out"});
    point.value = *time * *unit;
    if (cpu) point.metrics.push_back({"cpu_time_us", "us", *cpu * *unit});
    if (const auto rate = number_member(entry, "bytes_per_second"))
      point.metrics.push_back({"bandwidth_gb_per_s", "GB/s", *rate * 1e-9});
    if (const auto rate = number_member(entry, "items_per_second"))
      point.metrics.push_back({"items_per_s", "1/s", *rate});
    point.executions = whole_member(entry, "iterations");
    findings_.points.push_back(std::move(point));
  }

  const JsonNode& root_;
  Findings& findings_;
  std::string host_, started_, program_;
};

void read_google_benchmark(const Block& block, Findings& findings) {
  const JsonReading reading = read_json(block.lines);
  if (!reading.refused.empty()) return findings.refusals.push_back(reading.refusal());
  for (const Doubt& doubt : reading.doubts) add_doubt(findings.doubts, doubt);
  GoogleBenchmark(reading.root, findings).read();
}

}  // namespace

Reader google_benchmark_reader() {
  return {.kind = "google-benchmark",
          .title = "Google Benchmark JSON",
          .opens = google_benchmark_opens,
          .end = json_end,
          .read = read_google_benchmark};
}

}  // namespace assay::results::peers
