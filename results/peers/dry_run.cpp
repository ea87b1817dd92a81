// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/dry_run.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/text/json_text.hpp"
#include "results/peers/peer_records.hpp"

namespace assay::results::peers {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Fields& fields) {
  Json object = Json::object();
  for (const auto& [name, value] : fields) std::visit([&](const auto& held) { object[name] = held; }, value);
  return object;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json metrics_json(const PeerPoint& point) {
  Json metrics = Json::object();
  for (const Metric& metric : point.metrics) metrics[metric.name] = metric.value;
  return metrics;
}

}  // namespace

std::string dry_run_json(const PeerFile& file, const PeerBlock& block, const PeerPoint& point) {
  Json doubts = Json::array();
  for (const Doubt& doubt : point.doubts) doubts.push_back(text_of(doubt));
  Json json = {{"file", file.path.path},
               {"line", point.line},
               {"format", block.title},
               {"tool", block.findings.tool},
               {"version", block.findings.version},
               {"host", point.host.empty() ? Json(nullptr) : Json(point.host)},
               {"case", point.case_name},
               {"axes", json_of(point.axes)},
               {"metric", point.metric},
               {"value", or_null(point.value)},
               {"unit", point.unit},
               {"status", to_string(point.status)},
               {"n", point.n},
               {"statistic", point.statistic},
               {"executions", or_null(point.executions)},
               {"doubts", doubts},
               {"ranks", or_null(point.ranks)},
               {"metrics", metrics_json(point)},
               {"verification", std::string(core::to_string(point.verification))}};
  if (!point.hosts.empty()) json["hosts"] = point.hosts;
  if (!point.reason.empty()) json["reason"] = point.reason;
  if (!point.started.empty()) json["started"] = point.started;
  if (!point.samples.empty()) json["samples"] = point.samples;
  for (const char* name : {"serial", "error_id"})
    if (const Scalar* value = find(point.conditions, name))
      std::visit([&](const auto& held) { json[name] = held; }, *value);
  json["conditions"] = json_of(point.conditions);
  return core::json_text(json);
}

std::string dry_run_text(const PeerFile& file, const PeerPoint& point) {
  std::string text =
      fmt::format("{}:{}: {} {} {}: ", file.path.path, point.line,
                  point.host.empty() ? "(unknown host)" : point.host, point.case_name, key_of(point.axes));
  if (point.status != Status::ok) text += to_string(point.status) + (point.value ? ", " : "");
  if (point.value)
    text +=
        fmt::format("{} {:.9g}{}{}", point.metric, *point.value, point.unit.empty() ? "" : " ", point.unit);
  if (!point.reason.empty()) text += " (" + point.reason + ")";
  for (const Doubt& doubt : point.doubts) text += "; " + text_of(doubt);
  return text;
}

}  // namespace assay::results::peers
