// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "results/record/record_json.hpp"
#include "results/record/record_rules.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

void put(Json& object, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) object[key] = *value;
}

Json to_json(const Fields& fields) {
  Json object = Json::object();
  for (const auto& [name, value] : fields) object[name] = results::to_json(value);
  return object;
}

Json to_json(const std::vector<double>& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number(value));
  return array;
}

Json to_json(const TimeSummary& time) {
  Json object{{"quantile", time.quantile},
              {"confidence", time.confidence},
              {"value_s", number(time.value_s)},
              {"lower_s", number(time.lower_s)},
              {"upper_s", number(time.upper_s)},
              {"bounded", time.bounded},
              {"n", time.n},
              {"n_effective", number(time.n_effective)},
              {"min_s", number(time.min_s)},
              {"max_s", number(time.max_s)},
              {"mean_s", number(time.mean_s)},
              {"cv", number(time.cv)}};
  put(object, "p95_s", time.p95_s);
  put(object, "p99_s", time.p99_s);
  put(object, "p999_s", time.p999_s);
  return object;
}

Json to_json(const std::vector<Metric>& metrics) {
  Json array = Json::array();
  for (const auto& metric : metrics) {
    Json object{{"name", metric.name}, {"unit", metric.unit}, {"value", number(metric.value)}};
    put(object, "lower", metric.lower);
    put(object, "upper", metric.upper);
    array.push_back(std::move(object));
  }
  return array;
}

Json to_json(const UnitReport& unit) { return {{"kind", unit.kind}, {"id", unit.id}}; }

Json to_json(const RankReport& rank) { return {{"rank", rank.rank}, {"conditions", to_json(rank.facts)}}; }

Json to_json(const core::CounterReport& counter) {
  return {{"counter", counter.counter},
          {"outcome", core::to_string(counter.outcome)},
          {"moved", counter.moved},
          {"class", core::to_string(counter.speaks_for)},
          {"about", counter.about}};
}

Json to_json(const LinkReport& link) {
  Json counters = Json::array();
  for (const core::CounterReport& counter : link.counters) counters.push_back(to_json(counter));
  return {{"rank", link.rank},
          {"class", core::to_string(link.link_class)},
          {"watched", link.watched},
          {"counters", std::move(counters)}};
}

Json to_json(const FlowReport& flow) {
  Json object{{"from", flow.from}, {"to", flow.to}};
  put(object, "gb_per_s", flow.gb_per_s);
  put(object, "alone_gb_per_s", flow.alone_gb_per_s);
  for (const core::QueuePairReport& one : flow.queue_pairs) {
    object["source_ports"].push_back(one.source_port);
    object["destination_qpns"].push_back(one.destination_qpn);
  }
  return object;
}

template <class Part>
void put_list(Json& object, const char* key, const std::vector<Part>& parts) {
  if (parts.empty()) return;
  Json& array = object[key] = Json::array();
  for (const Part& part : parts) array.push_back(to_json(part));
}

/// Only where there are any: most points have one rank and no link.
void put_parts(Json& object, const PointRecord& point) {
  put_list(object, "ranks", point.ranks);
  put_list(object, "links", point.links);
  put_list(object, "flows", point.flows);
}

void put_measurement(Json& object, const PointRecord& point) {
  if (point.time) object["time"] = to_json(*point.time);
  object["metrics"] = to_json(point.metrics);
  object["work"] = {{"bytes", number(point.work_bytes)},
                    {"flops", number(point.work_flops)},
                    {"bytes_counted", point.bytes_counted}};
  object["stop"] = point.stop;
  object["drifting"] = point.drifting;
  object["iterations_per_sample"] = point.iterations_per_sample;
  object["cold_first_s"] = number(point.cold_first_s);
  object["warmup"] = {{"seconds", number(point.warmup.seconds)},
                      {"samples", point.warmup.samples},
                      {"stationary", point.warmup.stationary},
                      {"last_moving", point.warmup.last_moving}};
  object["verification"] = {{"result", core::to_string(point.verification.result)},
                            {"why", point.verification.why},
                            {"digest", point.verification.digest}};
  put_parts(object, point);
  object["conditions"] = to_json(point.conditions);
  object["samples_s"] = to_json(point.samples_s);
  if (!point.sm_cycles.empty()) object["sm_cycles"] = to_json(point.sm_cycles);
}

Json to_json(const PointRecord& point) {
  Json object{{"record", "point"},
              {"schema", schema_version},
              {"run_id", point.run_id},
              {"process", point.process},
              {"sequence", point.sequence},
              {"module", point.module},
              {"case", point.case_name},
              {"point", to_json(point.point)},
              {"key", point.key},
              {"repetition", point.repetition},
              {"derived", to_json(point.derived)}};
  put_list(object, "units", point.units);
  object["status"] = to_string(point.status);
  object["reason"] = point.reason;
  object["started"] = point.started;
  object["elapsed_s"] = number(point.elapsed_s);
  if (is_measured(point.status))
    put_measurement(object, point);
  else if (!point.conditions.empty())
    object["conditions"] = to_json(point.conditions);
  return object;
}

Json to_json(const ContextRecord& context) {
  return Json{{"record", "context"},
              {"schema", schema_version},
              {"run_id", context.run_id},
              {"process", context.process},
              {"module", context.module},
              {"started", context.started},
              {"host", context.host},
              {"origin", to_string(context.origin)},
              {"assay_version", context.assay_version},
              {"source_revision", context.source_revision},
              {"command_line", context.command_line},
              {"plan_name", context.plan_name},
              {"resumed", context.resumed},
              {"plan", context.plan},
              {"environment", context.environment},
              {"machine", context.machine}};
}

Json to_json(const EndRecord& end) {
  return Json{{"record", "end"},        {"schema", schema_version},      {"run_id", end.run_id},
              {"process", end.process}, {"module", end.module},          {"ended", end.ended},
              {"points", end.points},   {"interrupted", end.interrupted}};
}

}  // namespace

nlohmann::ordered_json to_json(const Record& record) {
  return std::visit([](const auto& held) { return to_json(held); }, record);
}

Json to_json(const Scalar& value) {
  const auto* const real = std::get_if<double>(&value);
  return real ? number(*real) : std::visit([](const auto& held) { return Json(held); }, value);
}

}  // namespace assay::results
