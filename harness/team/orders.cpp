// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/orders.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

using Json = nlohmann::json;

template <class Read>
auto read(const std::string& text, Read reader) {
  try {
    return reader(Json::parse(text));
  } catch (const Json::exception& error) {
    throw core::Error(core::ErrorKind::team,
                      fmt::format("a message of another rank makes no sense: {}", error.what()));
  }
}

template <class Variant>
Variant variant_from(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if constexpr (std::is_constructible_v<Variant, double>)
    if (value.is_number_float()) return value.get<double>();
  return value.get<std::int64_t>();
}

template <class Variant>
Json json_of(const Variant& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

}  // namespace

std::string to_text(const Order& order) {
  Json point = Json::array();
  for (const auto& [name, value] : order.point.coordinates()) point.push_back({name, json_of(value)});
  return Json{{"act", static_cast<int>(order.act)},
              {"iterations", order.iterations},
              {"case", order.case_name},
              {"point", point}}
      .dump();
}

Order order_from(const std::string& text) {
  return read(text, [](const Json& json) {
    Order order{.act = static_cast<Act>(json.at("act").get<int>()),
                .iterations = json.at("iterations"),
                .case_name = json.at("case")};
    for (const Json& coordinate : json.at("point"))
      order.point.set(coordinate.at(0).get<std::string>(), variant_from<core::Value>(coordinate.at(1)));
    return order;
  });
}

std::string to_text(const core::Timing& timing) {
  return Json{{"seconds", timing.seconds}, {"each_s", timing.each_s}}.dump();
}

core::Timing timing_from(const std::string& text) {
  return read(text, [](const Json& json) {
    core::Timing timing{.seconds = json.at("seconds")};
    json.at("each_s").get_to(timing.each_s);
    return timing;
  });
}

std::string to_text(const core::Verification& verification) {
  return Json{{"result", static_cast<int>(verification.result)},
              {"why", verification.why},
              {"digest", verification.digest}}
      .dump();
}

core::Verification verification_from(const std::string& text) {
  return read(text, [](const Json& json) {
    return core::Verification{.result = static_cast<core::Verification::Result>(json.at("result").get<int>()),
                              .why = json.at("why"),
                              .digest = json.at("digest")};
  });
}

std::string to_text(const Report& report) {
  Json metrics = Json::array(), facts = Json::array();
  for (const core::Metric& metric : report.metrics)
    metrics.push_back({{"name", metric.name}, {"unit", metric.unit}, {"value", metric.value}});
  for (const auto& [name, value] : report.facts) facts.push_back({name, json_of(value)});
  return Json{{"metrics", metrics}, {"facts", facts}}.dump();
}

Report report_from(const std::string& text) {
  return read(text, [](const Json& json) {
    Report report;
    for (const Json& metric : json.at("metrics"))
      report.metrics.push_back({metric.at("name"), metric.at("unit"), metric.at("value")});
    for (const Json& fact : json.at("facts"))
      report.facts.emplace_back(fact.at(0).get<std::string>(),
                                variant_from<std::variant<std::int64_t, double, std::string>>(fact.at(1)));
    return report;
  });
}

}  // namespace assay::team
