// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::model {
namespace {

using Side = Constraints::Side;

constexpr Metric degree(std::string_view name, double (*of)(const Execution&)) {
  return {name, Quantity::count, of, nullptr, nullptr};
}
constexpr Metric memory(std::string_view name, double (*of)(const StepMemory&)) {
  return {name, Quantity::bytes, nullptr, of, nullptr};
}
constexpr Metric result(std::string_view name, Quantity quantity, double (*of)(const Step&)) {
  return {name, quantity, nullptr, nullptr, of};
}

constexpr std::array<Metric, 11> known = {
    memory("memory", [](const StepMemory& needed) { return needed.fullest_tier1(); }),
    memory("second-memory", [](const StepMemory& needed) { return needed.tier2; }),
    result("offload", Quantity::bytes_per_s, [](const Step& step) { return step.required.offload; }),
    result("step", Quantity::seconds, [](const Step& step) { return step.time.total_s; }),
    result("mfu", Quantity::percent, [](const Step& step) { return step.total_efficiency; }),
    degree("tensor", [](const Execution& e) { return static_cast<double>(e.tensor_par); }),
    degree("pipeline", [](const Execution& e) { return static_cast<double>(e.pipeline_par); }),
    degree("data", [](const Execution& e) { return static_cast<double>(e.data_par); }),
    degree("microbatch", [](const Execution& e) { return static_cast<double>(e.microbatch_size); }),
    degree("batch", [](const Execution& e) { return static_cast<double>(e.batch_size); }),
    degree("interleaving", [](const Execution& e) { return static_cast<double>(e.interleaving); })};

constexpr std::string_view form(Quantity quantity) {
  switch (quantity) {
    case Quantity::count:
      return "a whole number above 0, like 8";
    case Quantity::bytes:
      return "bytes with their unit, like 80GB or 80GiB";
    case Quantity::bytes_per_s:
      return "bytes a second with their unit, like 100GB/s";
    case Quantity::seconds:
      return "seconds, like 12.5s";
    case Quantity::percent:
      return "percent, like 50%";
  }
  return "";
}

constexpr std::string_view suffix(Quantity quantity) {
  if (quantity == Quantity::bytes_per_s) return "/s";
  if (quantity == Quantity::seconds) return "s";
  return quantity == Quantity::percent ? "%" : "";
}

/// A plain number, all of the text; NaN where it is not one.
double plain(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : std::nan("");
}

/// NaN where the text has not the form of the quantity.
double parse(Quantity quantity, std::string_view text) {
  const std::string_view ending = suffix(quantity);
  if (text.empty() || !text.ends_with(ending)) return std::nan("");
  text.remove_suffix(ending.size());
  const double number = plain(text);
  if (quantity == Quantity::count) return number >= 1 && number == std::floor(number) ? number : std::nan("");
  if (quantity == Quantity::seconds) return number;
  if (quantity == Quantity::percent) return number / 100;
  if (!std::isnan(number)) return std::nan("");  // a size without its unit
  return static_cast<double>(core::parse_bytes(text));
}

std::string_view words(Side side) { return side == Side::at_most ? "at most" : "at least"; }

bool holds(const Constraints::Bound& bound, double value) {
  return bound.side == Side::at_most ? value <= bound.limit : value >= bound.limit;
}

}  // namespace

std::span<const Metric> metrics() { return known; }

std::string metric_names() {
  std::string names;
  for (const Metric& metric : known) names += fmt::format("{}{}", names.empty() ? "" : ", ", metric.name);
  return names;
}

void Constraints::add(Side side, std::string_view text) {
  const std::string flag = fmt::format("--{} {}", side == Side::at_most ? "at-most" : "at-least", text);
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    core::usage_error(fmt::format("{}: expected METRIC=VALUE, like memory=80GB", flag));
  const std::string_view name = text.substr(0, equals), value = text.substr(equals + 1);
  const auto* const metric = std::ranges::find(known, name, &Metric::name);
  if (metric == known.end())
    core::usage_error(
        fmt::format("{}: unknown metric '{}' (expected one of {})", flag, name, metric_names()));
  const double limit = parse(metric->quantity, value);
  if (!std::isfinite(limit) || limit < 0)
    core::usage_error(fmt::format("{}: expected {}", flag, form(metric->quantity)));
  bounds_.push_back({metric, side, limit, std::string(value)});
}

bool Constraints::allow(const Execution& execution) const {
  return std::ranges::all_of(bounds_, [&](const Bound& bound) {
    return bound.metric->of_execution == nullptr || holds(bound, bound.metric->of_execution(execution));
  });
}

bool Constraints::allow(const StepMemory& memory) const {
  return std::ranges::all_of(bounds_, [&](const Bound& bound) {
    return bound.metric->of_memory == nullptr || holds(bound, bound.metric->of_memory(memory));
  });
}

bool Constraints::allow(const Step& step) const {
  return allow(step.memory) && std::ranges::all_of(bounds_, [&](const Bound& bound) {
           return bound.metric->of_step == nullptr || holds(bound, bound.metric->of_step(step));
         });
}

bool Constraints::need_evaluation() const {
  return std::ranges::any_of(bounds_, [](const Bound& bound) { return bound.metric->of_step != nullptr; });
}

std::string to_string(const Constraints& constraints) {
  std::string text;
  for (const Constraints::Bound& bound : constraints.bounds())
    text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", bound.metric->name, words(bound.side),
                        bound.text);
  return text;
}

}  // namespace assay::model
