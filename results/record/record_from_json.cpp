// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <stdexcept>

#include "results/record/json_reader.hpp"
#include "results/record/older_form.hpp"
#include "results/record/older_power.hpp"
#include "results/record/record_json.hpp"
#include "results/record/record_rules.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Reader = JsonReader;

TimeSummary time_from(const Reader& from) {
  return {.quantile = from.share("quantile"),
          .confidence = from.share("confidence"),
          .value_s = from.number("value_s"),
          .lower_s = from.number("lower_s"),
          .upper_s = from.number("upper_s"),
          .bounded = from.boolean("bounded"),
          .n = from.count("n"),
          .n_effective = from.number("n_effective"),
          .min_s = from.number("min_s"),
          .max_s = from.number("max_s"),
          .mean_s = from.number("mean_s"),
          .cv = from.number("cv"),
          .p95_s = from.optional_number("p95_s"),
          .p99_s = from.optional_number("p99_s"),
          .p999_s = from.optional_number("p999_s")};
}

std::vector<Metric> metrics_from(const Reader& from) {
  std::vector<Metric> metrics;
  for (const Json& entry : from.array("metrics")) {
    const Reader metric(entry, "metrics[" + std::to_string(metrics.size()) + "]");
    metrics.push_back({metric.text("name"), metric.text("unit"), metric.number("value"),
                       metric.optional_number("lower"), metric.optional_number("upper")});
  }
  return metrics;
}

constexpr const char* link_class_words = "clean, congested, unknown, lossy or faulty";

int rank_from(const Reader& from, const char* key) {
  const std::int64_t rank = from.count(key);
  if (rank > std::numeric_limits<int>::max()) Reader::refuse(from.name(key), "a rank", from.at(key));
  return static_cast<int>(rank);
}

core::CounterReport counter_from(const Reader& from) {
  return {.counter = from.text("counter"),
          .outcome = from.word("outcome", core::counter_outcome_from,
                               "moved, moved_at_least, was_full, was_reset or not_read"),
          .moved = from.at("moved").is_number_unsigned() ? from.at("moved").get<std::uint64_t>()
                                                         : static_cast<std::uint64_t>(from.count("moved")),
          .speaks_for = from.word("class", core::link_class_from, link_class_words),
          .about = from.text("about")};
}

/// The entries of a list of objects, which may be absent.
template <class Part>
std::vector<Part> parts_from(const Reader& from, const char* key, Part (*part_from)(const Reader&)) {
  std::vector<Part> parts;
  if (!from.has(key)) return parts;
  for (const Json& entry : from.array(key))
    parts.push_back(part_from(Reader(entry, from.name(key) + "[" + std::to_string(parts.size()) + "]")));
  return parts;
}

LinkReport link_from(const Reader& from) {
  return {.rank = rank_from(from, "rank"),
          .link_class = from.word("class", core::link_class_from, link_class_words),
          .watched = from.count("watched"),
          .counters = parts_from(from, "counters", counter_from)};
}

/// A list that may be absent.
std::vector<std::int64_t> numbers_below(const Reader& from, const char* key, std::int64_t limit) {
  std::vector<std::int64_t> numbers;
  if (!from.has(key)) return numbers;
  for (const Json& entry : from.array(key)) {
    if (!entry.is_number_integer() || entry < 0 || entry >= limit)
      Reader::refuse(from.name(key), "whole numbers from 0 below " + std::to_string(limit), entry);
    numbers.push_back(entry);
  }
  return numbers;
}

std::vector<core::QueuePairReport> queue_pairs_from(const Reader& from) {
  const auto ports = numbers_below(from, "source_ports", 1 << 16);
  const auto numbers = numbers_below(from, "destination_qpns", 1 << 24);
  if (ports.size() != numbers.size())
    Reader::refuse(from.name("destination_qpns"), "as many as source_ports", from.at("destination_qpns"));
  std::vector<core::QueuePairReport> pairs;
  for (std::size_t at = 0; at < ports.size(); ++at) pairs.push_back({ports[at], numbers[at]});
  return pairs;
}

FlowReport flow_from(const Reader& from) {
  return {.from = rank_from(from, "from"),
          .to = rank_from(from, "to"),
          .gb_per_s = from.optional_number("gb_per_s"),
          .alone_gb_per_s = from.optional_number("alone_gb_per_s"),
          .queue_pairs = queue_pairs_from(from)};
}

UnitReport unit_from(const Reader& from) {
  return {.kind = from.identity("kind"), .id = from.identity("id")};
}

RankReport rank_report_from(const Reader& from) {
  return {.rank = rank_from(from, "rank"), .facts = from.fields("conditions")};
}

void read_parts(const Reader& from, PointRecord& point) {
  point.ranks = parts_from(from, "ranks", rank_report_from);
  point.links = parts_from(from, "links", link_from);
  point.flows = parts_from(from, "flows", flow_from);
}

void read_measurement(const Reader& from, PointRecord& point) {
  if (from.has("time")) point.time = time_from(from.object("time"));
  point.metrics = metrics_from(from);
  const Reader work = from.object("work");
  point.work_bytes = work.amount("bytes");
  point.work_flops = work.amount("flops");
  point.bytes_counted = work.text("bytes_counted");
  point.stop = from.text("stop");
  if (!is_stop_reason(point.stop))
    Reader::refuse(from.name("stop"), "interval, budget, samples or interrupted", from.at("stop"));
  point.drifting = from.boolean("drifting");
  point.iterations_per_sample = from.integer("iterations_per_sample");
  point.cold_first_s = from.number("cold_first_s");
  const Reader warmup = from.object("warmup");
  point.warmup = {warmup.number("seconds"), warmup.integer("samples"), warmup.boolean("stationary"),
                  warmup.text("last_moving")};
  const Reader verification = from.object("verification");
  point.verification = {
      .result = verification.word("result", core::verification_result_from, "right, wrong or not_checked"),
      .why = verification.text("why"),
      .digest = verification.text("digest")};
  point.samples_s = from.numbers("samples_s");
  if (from.has("sm_cycles")) point.sm_cycles = from.numbers("sm_cycles");
}

/// Schema 1 called a module a room.
std::string module_from(const Reader& from) {
  return from.text(from.integer("schema") == 1 ? "room" : "module");
}

PointRecord point_from(const Reader& from) {
  PointRecord point;
  point.run_id = from.identity("run_id");
  point.process = from.count("process");
  point.sequence = from.count("sequence");
  point.module = module_from(from);
  point.case_name = from.identity("case");
  point.point = from.fields("point");
  point.key = from.text("key");
  if (const std::string axis = axis_denied_by_key(point.key, point.point); !axis.empty())
    Reader::refuse("key", axis + ", as the point says", from.at("key"));
  point.repetition = from.count("repetition");
  point.derived = from.fields("derived");
  point.units = parts_from(from, "units", unit_from);
  point.status = from.word("status", status_from, "ok, unsupported, failed, wrong or timeout");
  point.reason = from.text("reason");
  point.started = from.text("started");
  point.elapsed_s = from.number("elapsed_s");
  if (from.has("conditions")) point.conditions = from.fields("conditions");
  if (is_measured(point.status)) {
    read_parts(from, point);
    read_measurement(from, point);
  }
  read_older_form(point);
  read_older_types(point);
  read_older_power(point);
  if (from.integer("schema") == 1) read_older_units(point);
  return point;
}

ContextRecord context_from(const Reader& from) {
  ContextRecord context;
  context.run_id = from.identity("run_id");
  context.process = from.count("process");
  context.module = module_from(from);
  context.started = from.text("started");
  context.host = from.identity("host");
  context.origin = from.word("origin", origin_from, "measured, imported, simulated or predicted");
  context.assay_version = from.text("assay_version");
  context.source_revision = from.text("source_revision");
  for (const Json& word : from.array("command_line")) {
    if (!word.is_string()) Reader::refuse("command_line", "a list of texts", word);
    context.command_line.push_back(word.get<std::string>());
  }
  context.plan_name = from.text("plan_name");
  context.resumed = from.boolean("resumed");
  context.plan = from.at("plan");
  context.environment = from.at("environment");
  context.machine = from.at("machine");
  return context;
}

EndRecord end_from(const Reader& from) {
  return {.run_id = from.identity("run_id"),
          .process = from.count("process"),
          .module = module_from(from),
          .ended = from.text("ended"),
          .points = from.integer("points"),
          .interrupted = from.boolean("interrupted")};
}

}  // namespace

std::optional<Scalar> scalar_from(const Json& value) {
  if (value.is_number_integer()) return Scalar(value.get<std::int64_t>());
  if (value.is_number()) return Scalar(value.get<double>());
  if (value.is_string()) return Scalar(value.get<std::string>());
  return std::nullopt;
}

Record from_json(const nlohmann::ordered_json& object) {
  if (!object.is_object()) throw std::runtime_error("not a JSON object");
  const Reader from(object, "");
  const std::int64_t schema = from.integer("schema");
  if (schema > schema_version)
    throw std::runtime_error("schema " + std::to_string(schema) + " is newer than this program reads (" +
                             std::to_string(schema_version) + ")");
  if (schema < 1) Reader::refuse("schema", "1 or more", from.at("schema"));
  const std::string kind = from.text("record");
  if (kind == "point") return point_from(from);
  if (kind == "context") return context_from(from);
  if (kind == "end") return end_from(from);
  Reader::refuse("record", "context, point or end", from.at("record"));
}

}  // namespace assay::results
