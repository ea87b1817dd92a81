// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// All that lists, plans and records see of cases before anything runs, as text: builds with and without a
// component must say the same.
#pragma once

#include <exception>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::core::tests {

inline std::string axis_text(const Axis& axis) {
  std::ostringstream text;
  text << "  " << axis.name << " (" << axis.meaning << ", " << static_cast<int>(axis.domain) << ", "
       << axis.unit_kind << "):";
  for (const Value& value : axis.values) text << ' ' << to_text(value);
  text << " of";
  for (const std::string& choice : axis.choices) text << ' ' << choice;
  for (const auto& [word, value] : axis.aliases) text << ' ' << word << '=' << to_text(value);
  text << '\n';
  return text.str();
}

/// The point's work and what else follows from it, or what refuses it.
inline std::string point_text(const Case& one, const Point& point) {
  std::ostringstream text;
  text << "  " << point.key() << ": ";
  try {
    const Work work = one.work(point);
    text << work.bytes << ' ' << work.flops << ' ' << work.messages << ' ' << work.operations << ' '
         << work.bytes_counted;
    if (one.derived)
      for (const auto& [name, value] : one.derived(point)) {
        text << ' ' << name << '=';
        std::visit([&](const auto& held) { text << held; }, value);
      }
    if (one.representative) text << " for " << one.representative(point).key();
    if (one.seconds_needed) text << " in " << one.seconds_needed(point) << " s";
  } catch (const std::exception& error) {
    text << error.what();
  }
  text << '\n';
  return text.str();
}

/// One text a case, in their order.
inline std::vector<std::string> declaration_texts(const std::vector<Case>& cases) {
  std::vector<std::string> texts;
  for (const Case& one : cases) {
    std::string& text = texts.emplace_back(
        one.name + ": " + one.measures + ", " + headline_name(one.headline) + ", " +
        std::to_string(one.min_samples) + " samples of " + std::to_string(one.min_sample_seconds) + " s\n");
    for (const Axis& axis : one.axes) text += axis_text(axis);
    for (const Point& point : sweep(one.axes)) text += point_text(one, point);
  }
  return texts;
}

}  // namespace assay::core::tests
