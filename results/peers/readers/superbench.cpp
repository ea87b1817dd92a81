// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The results-summary.jsonl of SuperBench: an object a node. A benchmark that failed has a return code and no
// metrics; a rate of -1 failed, too.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "results/peers/reader.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/lenient_json.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/nccl_ranks.hpp"
#include "results/peers/tools/superbench_metric.hpp"

namespace assay::results::peers {
namespace {

bool superbench_opens(Lines lines, std::size_t at, std::size_t) {
  const std::string_view text = trimmed(lines[at].text);
  return text.starts_with('{') && text.find("/return_code") != std::string_view::npos &&
         text.find("\"node\"") != std::string_view::npos;
}

std::size_t superbench_end(Lines lines, std::size_t at) {
  while (at < lines.size() && (superbench_opens(lines, at, 0) || trimmed(lines[at].text).empty())) ++at;
  return at;
}

/// One node's object.
class SuperbenchNode {
 public:
  SuperbenchNode(const JsonNode& root, Findings& findings)
      : root_(root), findings_(findings), node_(text_member(root, "node")) {}

  void read() {
    for (const auto& [name, value] : root_.members)
      if (const auto key = superbench_key(name)) note(*key);
    for (const auto& [name, value] : root_.members)
      if (const auto key = superbench_key(name)) add(*key, value);
    for (const std::string& collective : order_) add_collective(collectives_.at(collective));
    std::ranges::stable_sort(points_, {}, &Placed::place);
    for (Placed& placed : points_) findings_.points.push_back(std::move(placed.point));
  }

 private:
  struct Collective {
    SuperbenchCollective what;
    std::size_t place = 0;  // of its first metric
    std::map<std::string, PrintedNumber> numbers;
  };
  struct Placed {
    std::size_t place;
    PeerPoint point;
  };

  static std::string benchmark_of(const SuperbenchKey& key) { return key.benchmark + ":" + key.annotation; }

  void note(const SuperbenchKey& key) {
    if (key.metric != "return_code") with_metrics_.insert(benchmark_of(key));
  }

  void add(const SuperbenchKey& key, const JsonNode& value) {
    ++place_;
    const auto printed = printed_number(value.text);
    if (key.benchmark == "monitor" || value.kind == JsonNode::Kind::null) return;
    if (key.metric == "return_code") return add_return_code(key, value);
    if (const auto collective = superbench_collective(key)) {
      const std::string name = benchmark_of(key) + key.metric.substr(0, key.metric.rfind('_'));
      const auto [found, is_new] = collectives_.try_emplace(name, Collective{*collective, place_, {}});
      if (is_new) order_.push_back(name);
      if (printed) found->second.numbers[collective->quantity] = *printed;
      return;
    }
    auto point = printed ? superbench_point(key, printed->value) : std::nullopt;
    if (!point) {
      ++findings_.unparsed_lines;
      return;
    }
    settle(*point);
    put(std::move(*point));
  }

  void put(PeerPoint point) {
    point.host = node_;
    point.line = root_.line;
    points_.push_back({place_, std::move(point)});
  }

  static void settle(PeerPoint& point) {
    if (point.metric == "passed") {
      if (point.value != 1.0) point.status = Status::wrong, point.reason = "the tool found errors";
      return;
    }
    if (point.value && *point.value > 0) return;
    point.reason = fmt::format("the tool states {:g}", point.value.value_or(0));
    point.status = Status::failed;
    point.value.reset();
  }

  /// Metrics that are there show themselves which of them failed.
  void add_return_code(const SuperbenchKey& key, const JsonNode& value) {
    const auto code = value.whole();
    if (!code || *code == 0 || with_metrics_.contains(benchmark_of(key))) return;
    PeerPoint point;
    std::string name = key.benchmark;
    std::ranges::replace(name, '-', '_');
    point.case_name = "peers.superbench." + name;
    if (!key.annotation.empty()) point.axes.emplace_back("name", key.annotation);
    if (key.rank && *key.rank > 0) point.axes.emplace_back("rank", *key.rank);
    point.metric = "return_code";
    point.value = static_cast<double>(*code);
    constexpr std::int64_t timed_out = 124;
    point.status = *code == timed_out ? Status::timeout : Status::failed;
    point.reason = superbench_reason(*code);
    put(std::move(point));
  }

  void add_collective(const Collective& collective) {
    const auto number = [&](const char* name) {
      const auto found = collective.numbers.find(name);
      return found == collective.numbers.end() ? std::nullopt : std::optional(found->second);
    };
    const auto time = number("time"), algbw = number("algbw"), busbw = number("busbw");
    PeerPoint point;
    point.case_name = collective.what.case_name;
    point.axes = {{"launch", std::string("stream")},
                  {"bytes", collective.what.bytes},
                  {"in_place", std::int64_t{collective.what.in_place}}};
    if (!collective.what.pair.empty()) point.axes.emplace_back("pair", collective.what.pair);
    point.metric = "time_us";
    point.unit = "us";
    point.statistic = "as nccl-tests printed";
    if (time) point.value = time->value;
    if (algbw) point.metrics.push_back({"algbw_gb_per_s", "GB/s", algbw->value});
    if (busbw) point.metrics.push_back({"busbw_gb_per_s", "GB/s", busbw->value});
    if ((time && !(time->value > 0)) || (busbw && busbw->value < 0))
      settle(point);
    else if (time && algbw && !agrees(collective.what.bytes, *time, *algbw))
      return findings_.refusals.push_back(
          {root_.line, "node " + node_ + ": size over time of " + point.case_name + " is not algbw"});
    put_ranks(point, collective.what.case_name, algbw, busbw);
    place_ = collective.place;
    put(std::move(point));
  }

  static bool agrees(std::int64_t bytes, PrintedNumber time, PrintedNumber algbw) {
    constexpr double tolerance = 0.001;
    return may_be_equal(quotient({static_cast<double>(bytes) * 1e-3, 0}, time), algbw, tolerance);
  }

  void put_ranks(PeerPoint& point, std::string_view case_name, const std::optional<PrintedNumber>& algbw,
                 const std::optional<PrintedNumber>& busbw) {
    if (!algbw || !busbw) return;
    NcclRun run;
    run.operation = std::string(case_name.substr(case_name.rfind('.') + 1));
    if (run.operation == "all_to_all") run.operation = "alltoall";
    NcclHalf half;
    half.algbw = algbw, half.busbw = busbw;
    run.rows.push_back({.bytes = 1, .type = "", .redop = "", .root = "", .halves = {half}, .line = 0});
    point.ranks = ranks_of(run).ranks;
    if (point.ranks)
      add_doubt(findings_.doubts, {DoubtKind::ranks_derived});
    else
      add_doubt(findings_.doubts, {DoubtKind::ranks_unknown});
  }

  const JsonNode& root_;
  Findings& findings_;
  std::string node_;
  std::size_t place_ = 0;
  std::set<std::string> with_metrics_;
  std::map<std::string, Collective> collectives_;
  std::vector<std::string> order_;
  std::vector<Placed> points_;
};

void read_superbench(const Block& block, Findings& findings) {
  findings.tool = "superbench";
  add_doubt(findings.doubts, {DoubtKind::no_time});
  std::set<std::string> nodes;
  for (std::size_t at = 0; at < block.lines.size(); ++at) {
    if (trimmed(block.lines[at].text).empty()) continue;
    const JsonReading reading = read_json(block.lines.subspan(at, 1));
    if (!reading.refused.empty()) {
      findings.refusals.push_back(reading.refusal());
      continue;
    }
    for (const Doubt& doubt : reading.doubts) add_doubt(findings.doubts, doubt);
    if (reading.torn) continue;
    if (const std::string node = text_member(reading.root, "node"); !nodes.insert(node).second)
      add_doubt(findings.doubts, {DoubtKind::same_node_twice, node});
    SuperbenchNode(reading.root, findings).read();
  }
}

}  // namespace

Reader superbench_reader() {
  return {.kind = "superbench",
          .title = "SuperBench results-summary.jsonl",
          .opens = superbench_opens,
          .end = superbench_end,
          .read = read_superbench};
}

}  // namespace assay::results::peers
