// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <stdexcept>

#include "results/record/record_json.hpp"
#include "results/record/record_rules.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void wrong_key(const std::string& key, const std::string& expected, const Json& found) {
  std::string text = found.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  throw std::runtime_error("key '" + key + "': expected " + expected + ", found " + text);
}

/// Typed access to the keys of one object; `path` prefixes keys in messages.
class Reader {
 public:
  Reader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
    if (!object.is_object()) wrong_key(path_, "an object", object);
  }

  bool has(const char* key) const { return object_.contains(key); }
  const Json& at(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end()) throw std::runtime_error("key '" + name(key) + "' is missing");
    return *found;
  }
  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) wrong_key(name(key), "text", value);
    return value.get<std::string>();
  }
  std::int64_t integer(const char* key) const {
    const Json& value = at(key);
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX))
      wrong_key(name(key), "an integer", value);
    return value.get<std::int64_t>();
  }
  /// Not below zero.
  std::int64_t count(const char* key) const {
    const std::int64_t value = integer(key);
    if (value < 0) wrong_key(name(key), "a whole number from 0 on", at(key));
    return value;
  }
  /// Not empty.
  std::string identity(const char* key) const {
    std::string value = text(key);
    if (value.empty()) wrong_key(name(key), "a name", at(key));
    return value;
  }
  double number(const char* key) const { return as_number(at(key), key); }
  /// Null is NaN, unknown.
  double amount(const char* key) const {
    const double value = number(key);
    if (value < 0) wrong_key(name(key), "a number from 0 on", at(key));
    return value;
  }
  double share(const char* key) const {
    const double value = number(key);
    if (!is_share_of_one(value)) wrong_key(name(key), "a number from 0 to 1", at(key));
    return value;
  }
  std::string word(const char* key, bool (*is_known)(std::string_view), const char* expected) const {
    std::string value = text(key);
    if (!is_known(value)) wrong_key(name(key), expected, at(key));
    return value;
  }
  std::optional<double> optional_number(const char* key) const {
    if (!has(key) || at(key).is_null()) return std::nullopt;
    return number(key);
  }
  bool boolean(const char* key) const {
    const Json& value = at(key);
    if (!value.is_boolean()) wrong_key(name(key), "true or false", value);
    return value.get<bool>();
  }
  Reader object(const char* key) const { return Reader(at(key), name(key)); }
  const Json& array(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) wrong_key(name(key), "a list", value);
    return value;
  }
  std::vector<double> numbers(const char* key) const {
    std::vector<double> values;
    for (const Json& value : array(key)) values.push_back(as_number(value, key));
    return values;
  }
  std::string name(const char* key) const { return path_.empty() ? key : path_ + "." + key; }

  Fields fields(const char* key) const {
    Fields all;
    const Reader inner = object(key);
    for (const auto& [field, value] : inner.object_.items())
      all.emplace_back(field, inner.scalar(field.c_str(), value));
    return all;
  }

 private:
  double as_number(const Json& value, const char* key) const {
    if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (!value.is_number()) wrong_key(name(key), "a number or null", value);
    return value.get<double>();
  }
  Scalar scalar(const char* key, const Json& value) const {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return integer(key);
    if (value.is_number_float() || value.is_null()) return as_number(value, key);
    wrong_key(name(key), "a number or text", value);
  }

  const Json& object_;
  std::string path_;
};

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

void read_measurement(const Reader& from, PointRecord& point) {
  if (from.has("time")) point.time = time_from(from.object("time"));
  point.metrics = metrics_from(from);
  const Reader work = from.object("work");
  point.work_bytes = work.amount("bytes");
  point.work_flops = work.amount("flops");
  point.bytes_counted = work.text("bytes_counted");
  point.stop = from.word("stop", is_stop_reason, "interval, budget, samples or interrupted");
  point.drifting = from.boolean("drifting");
  point.iterations_per_sample = from.integer("iterations_per_sample");
  point.cold_first_s = from.number("cold_first_s");
  const Reader warmup = from.object("warmup");
  point.warmup = {warmup.number("seconds"), warmup.integer("samples"), warmup.boolean("stationary"),
                  warmup.text("last_moving")};
  const Reader verification = from.object("verification");
  point.verification = {verification.word("result", is_verification, "right, wrong or not_checked"),
                        verification.text("why"), verification.text("digest")};
  point.samples_s = from.numbers("samples_s");
  if (from.has("sm_cycles")) point.sm_cycles = from.numbers("sm_cycles");
}

/// Texts and whole numbers: how a fraction is written is not fixed.
void require_key_of_axes(const Reader& from, const PointRecord& point) {
  for (const auto& [axis, value] : point.point) {
    const auto* const integer = std::get_if<std::int64_t>(&value);
    const auto* const text = std::get_if<std::string>(&value);
    if (!integer && !text) continue;
    const std::string said = integer ? std::to_string(*integer) : *text;
    if (!key_agrees(point.key, axis, said))
      wrong_key("key", axis + "=" + said + ", as the point says", from.at("key"));
  }
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
  require_key_of_axes(from, point);
  point.repetition = from.count("repetition");
  point.derived = from.fields("derived");
  const auto status = status_from(from.text("status"));
  if (!status) wrong_key("status", "ok, unsupported, failed, wrong or timeout", from.at("status"));
  point.status = *status;
  point.reason = from.text("reason");
  point.started = from.text("started");
  point.elapsed_s = from.number("elapsed_s");
  if (from.has("conditions")) point.conditions = from.fields("conditions");
  if (point.status == Status::ok || point.status == Status::wrong) read_measurement(from, point);
  return point;
}

ContextRecord context_from(const Reader& from) {
  ContextRecord context;
  context.run_id = from.identity("run_id");
  context.process = from.count("process");
  context.module = module_from(from);
  context.started = from.text("started");
  context.host = from.identity("host");
  const auto origin = origin_from(from.text("origin"));
  if (!origin) wrong_key("origin", "measured, imported, simulated or predicted", from.at("origin"));
  context.origin = *origin;
  context.assay_version = from.text("assay_version");
  context.source_revision = from.text("source_revision");
  for (const Json& word : from.array("command_line")) {
    if (!word.is_string()) wrong_key("command_line", "a list of texts", word);
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

Record from_json(const nlohmann::ordered_json& object) {
  if (!object.is_object()) throw std::runtime_error("not a JSON object");
  const Reader from(object, "");
  const std::int64_t schema = from.integer("schema");
  if (schema > schema_version)
    throw std::runtime_error("schema " + std::to_string(schema) + " is newer than this program reads (" +
                             std::to_string(schema_version) + ")");
  if (schema < 1) wrong_key("schema", "1 or more", from.at("schema"));
  const std::string kind = from.text("record");
  if (kind == "point") return point_from(from);
  if (kind == "context") return context_from(from);
  if (kind == "end") return end_from(from);
  wrong_key("record", "context, point or end", from.at("record"));
}

}  // namespace assay::results
