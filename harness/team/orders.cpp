// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/orders.hpp"

#include <fmt/format.h>

#include <limits>
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

/// A number of an enumeration whose last value is `last`.
template <class Enum>
Enum enum_from(const Json& value, Enum last) {
  const int number = value.get<int>();
  if (number < 0 || number > static_cast<int>(last))
    throw core::Error(core::ErrorKind::team,
                      fmt::format("a message of another rank makes no sense: {} is out of range", number));
  return static_cast<Enum>(number);
}

/// JSON has no NaN and no infinity: they travel as null.
double number_from(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

/// A text of another system may not be UTF-8.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class Variant>
Variant variant_from(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if constexpr (std::is_constructible_v<Variant, double>)
    if (value.is_number_float() || value.is_null()) return number_from(value);
  return value.get<std::int64_t>();
}

template <class Variant>
Json json_of(const Variant& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json json_of(const core::Metric& metric) {
  Json json{{"name", metric.name}, {"unit", metric.unit}, {"value", metric.value}};
  if (metric.lower) json["lower"] = *metric.lower;
  if (metric.upper) json["upper"] = *metric.upper;
  return json;
}

core::Metric metric_from(const Json& json) {
  core::Metric metric{
      .name = json.at("name"), .unit = json.at("unit"), .value = number_from(json.at("value"))};
  if (json.contains("lower")) metric.lower = number_from(json.at("lower"));
  if (json.contains("upper")) metric.upper = number_from(json.at("upper"));
  return metric;
}

}  // namespace

std::string to_text(const Order& order) {
  Json point = Json::array();
  for (const auto& [name, value] : order.point.coordinates()) point.push_back({name, json_of(value)});
  return text_of(Json{{"act", static_cast<int>(order.act)},
                      {"iterations", order.iterations},
                      {"case", order.case_name},
                      {"point", point}});
}

Order order_from(const std::string& text) {
  return read(text, [](const Json& json) {
    Order order{.act = enum_from(json.at("act"), Act::dismiss),
                .iterations = json.at("iterations"),
                .case_name = json.at("case")};
    for (const Json& coordinate : json.at("point"))
      order.point.set(coordinate.at(0).get<std::string>(), variant_from<core::Value>(coordinate.at(1)));
    return order;
  });
}

std::string to_text(const core::Timing& timing) {
  return text_of({{"seconds", timing.seconds}, {"each_s", timing.each_s}});
}

core::Timing timing_from(const std::string& text) {
  return read(text, [](const Json& json) {
    core::Timing timing{.seconds = number_from(json.at("seconds"))};
    for (const Json& one : json.at("each_s")) timing.each_s.push_back(number_from(one));
    return timing;
  });
}

std::string to_text(const core::Verification& verification) {
  return text_of({{"result", static_cast<int>(verification.result)},
                  {"why", verification.why},
                  {"digest", verification.digest}});
}

core::Verification verification_from(const std::string& text) {
  return read(text, [](const Json& json) {
    return core::Verification{.result = enum_from(json.at("result"), core::Verification::Result::not_checked),
                              .why = json.at("why"),
                              .digest = json.at("digest")};
  });
}

std::string to_text(const Report& report) {
  Json metrics = Json::array(), facts = Json::array();
  for (const core::Metric& metric : report.metrics) metrics.push_back(json_of(metric));
  for (const auto& [name, value] : report.facts) facts.push_back({name, json_of(value)});
  return text_of({{"metrics", metrics}, {"facts", facts}});
}

Report report_from(const std::string& text) {
  return read(text, [](const Json& json) {
    Report report;
    for (const Json& metric : json.at("metrics")) report.metrics.push_back(metric_from(metric));
    for (const Json& fact : json.at("facts"))
      report.facts.emplace_back(fact.at(0).get<std::string>(),
                                variant_from<std::variant<std::int64_t, double, std::string>>(fact.at(1)));
    return report;
  });
}

}  // namespace assay::team
