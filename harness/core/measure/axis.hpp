// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The sweep of a benchmark: an axis is a name with values, a point is one value per axis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay::core {

using Value = std::variant<std::int64_t, std::string>;

std::string to_text(const Value& value);

enum class Domain {
  integers,  // "12", or "1:64:x2" (start:end:factor) or "0:8:2" (start:end:step), ends included
  sizes,     // bytes: "64MiB", and the same ranges
  words      // free text, or one of `choices` where that is not empty
};

struct Axis {
  std::string name;
  std::string meaning;  // one line for `assay list`
  Domain domain = Domain::integers;
  std::vector<Value> values;                                // the default sweep
  std::vector<std::string> choices = {};                    // legal words; empty means any
  std::vector<std::pair<std::string, Value>> aliases = {};  // {"all", 2}: a word that stands for a value here
  std::string unit_kind = {};  // gpu, port: the kind of unit that is measured, where its values name one
};

/// One axis value or range as a user writes it, to the values it stands for. Throws a usage Error naming the
/// axis and what it takes.
std::vector<Value> parse_values(const Axis& axis, std::string_view text);

class Point {
 public:
  Point() = default;
  Point(std::initializer_list<std::pair<std::string, Value>> coordinates) : coordinates_(coordinates) {}

  /// Adds or replaces a coordinate; order of first setting is kept.
  Point& set(std::string_view name, Value value);

  bool has(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;     // throws a usage Error where absent or a word
  const std::string& text(std::string_view name) const;  // throws a usage Error where absent or a number
  const std::vector<std::pair<std::string, Value>>& coordinates() const { return coordinates_; }

  /// "bytes=1073741824,threads=2": the identity of a point within its case.
  std::string key() const;

 private:
  std::vector<std::pair<std::string, Value>> coordinates_;
};

/// How many points sweep() makes of these axes, counted without making them.
double points_in_sweep(const std::vector<Axis>& axes);

/// Every combination, last axis fastest. Throws a usage Error where an axis has no value, and, before it
/// makes a point, where there would be more than ParseLimits::points.
std::vector<Point> sweep(const std::vector<Axis>& axes);

}  // namespace assay::core
