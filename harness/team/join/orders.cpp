// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/orders.hpp"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::team {
namespace {

using Json = nlohmann::json;

template <class Read>
auto read(const std::string& text, Read reader) {
  try {
    return reader(core::json_from<Json>(text));
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
std::string text_of(const Json& json) { return core::json_text(json); }

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

Json json_of(const core::LinkReport& link) {
  Json counters = Json::array();
  for (const core::CounterReport& one : link.counters)
    counters.push_back(
        {one.counter, static_cast<int>(one.outcome), one.moved, static_cast<int>(one.speaks_for), one.about});
  return {{"class", static_cast<int>(link.link_class)}, {"watched", link.watched}, {"counters", counters}};
}

core::LinkReport link_from(const Json& json) {
  core::LinkReport link{.link_class = enum_from(json.at("class"), core::LinkClass::faulty),
                        .watched = json.at("watched")};
  for (const Json& one : json.at("counters"))
    link.counters.push_back({.counter = one.at(0),
                             .outcome = enum_from(one.at(1), core::CounterReport::Outcome::not_read),
                             .moved = one.at(2),
                             .speaks_for = enum_from(one.at(3), core::LinkClass::faulty),
                             .about = one.at(4)});
  return link;
}

Json json_of(const core::FlowReport& flow) {
  Json json{{"from", flow.from}, {"to", flow.to}};
  if (flow.gb_per_s) json["gb_per_s"] = *flow.gb_per_s;
  if (flow.alone_gb_per_s) json["alone_gb_per_s"] = *flow.alone_gb_per_s;
  for (const core::QueuePairReport& one : flow.queue_pairs)
    json["queue_pairs"].push_back({one.source_port, one.destination_qpn});
  return json;
}

core::FlowReport flow_from(const Json& json) {
  core::FlowReport flow{.from = json.at("from"), .to = json.at("to")};
  if (json.contains("gb_per_s")) flow.gb_per_s = number_from(json.at("gb_per_s"));
  if (json.contains("alone_gb_per_s")) flow.alone_gb_per_s = number_from(json.at("alone_gb_per_s"));
  if (json.contains("queue_pairs"))
    for (const Json& one : json.at("queue_pairs")) flow.queue_pairs.push_back({one.at(0), one.at(1)});
  return flow;
}

}  // namespace

// An order and its answers travel with every sample: what is not said is left out.
std::string to_text(const Order& order) {
  Json json{{"act", static_cast<int>(order.act)}};
  if (order.iterations != 0) json["iterations"] = order.iterations;
  if (!order.case_name.empty()) json["case"] = order.case_name;
  for (const auto& [name, value] : order.point.coordinates()) json["point"].push_back({name, json_of(value)});
  return text_of(json);
}

Order order_from(const std::string& text) {
  return read(text, [](const Json& json) {
    Order order{.act = enum_from(json.at("act"), Act::dismiss),
                .iterations = json.value("iterations", std::int64_t{0}),
                .case_name = json.value("case", "")};
    if (json.contains("point"))
      for (const Json& coordinate : json.at("point"))
        order.point.set(coordinate.at(0).get<std::string>(), variant_from<core::Value>(coordinate.at(1)));
    return order;
  });
}

/// 8 bytes a number, of the host's byte order: all ranks run one build on one kind of processor.
std::string to_text(const core::Timing& timing) {
  std::string text(sizeof(double) * (1 + timing.each_s.size()), '\0');
  std::memcpy(text.data(), &timing.seconds, sizeof(double));
  if (!timing.each_s.empty())
    std::memcpy(text.data() + sizeof(double), timing.each_s.data(), text.size() - sizeof(double));
  return text;
}

core::Timing timing_from(const std::string& text) {
  if (text.empty() || text.size() % sizeof(double) != 0)
    throw core::Error(core::ErrorKind::team,
                      fmt::format("a timing of another rank makes no sense: {} bytes", text.size()));
  core::Timing timing;
  std::memcpy(&timing.seconds, text.data(), sizeof(double));
  timing.each_s.resize(text.size() / sizeof(double) - 1);
  if (!timing.each_s.empty())
    std::memcpy(timing.each_s.data(), text.data() + sizeof(double), text.size() - sizeof(double));
  return timing;
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

std::string to_text(const core::Report& report) {
  Json metrics = Json::array(), facts = Json::array(), links = Json::array(), flows = Json::array();
  for (const core::Metric& metric : report.metrics) metrics.push_back(json_of(metric));
  for (const auto& [name, value] : report.facts) facts.push_back({name, json_of(value)});
  for (const core::LinkReport& link : report.links) links.push_back(json_of(link));
  for (const core::FlowReport& flow : report.flows) flows.push_back(json_of(flow));
  return text_of({{"metrics", metrics}, {"facts", facts}, {"links", links}, {"flows", flows}});
}

core::Report report_from(const std::string& text) {
  return read(text, [](const Json& json) {
    core::Report report;
    for (const Json& metric : json.at("metrics")) report.metrics.push_back(metric_from(metric));
    for (const Json& fact : json.at("facts"))
      report.facts.emplace_back(fact.at(0).get<std::string>(), variant_from<core::Scalar>(fact.at(1)));
    for (const Json& link : json.at("links")) report.links.push_back(link_from(link));
    for (const Json& flow : json.at("flows")) report.flows.push_back(flow_from(flow));
    return report;
  });
}

}  // namespace assay::team
