// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/toml_text.hpp"
#include "harness/plan/built_in.hpp"

namespace assay::plan {
namespace {

constexpr std::size_t longest_plan = 16U << 20U;

using core::usage_error;

std::string at(const std::string& file, const toml::node& node) {
  return fmt::format("{}:{}", file, node.source().begin.line);
}

/// One plan file being read: knows its name, so that every error starts with file and line.
class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  std::string where(const toml::node& node) const { return at(file_, node); }

  [[noreturn]] void wrong_type(const toml::node& node, const std::string& key,
                               const std::string& expected) const {
    usage_error(fmt::format("{}: key '{}': expected {}", where(node), key, expected));
  }

  std::string text(const toml::node& node, const std::string& key) const {
    const auto value = node.value<std::string>();
    if (!node.is_string() || !value) wrong_type(node, key, "a string");
    return *value;
  }

  double positive(const toml::node& node, const std::string& key) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !value || !(*value > 0) || !std::isfinite(*value))
      wrong_type(node, key, "a number above 0");
    return *value;
  }

  double seconds(const toml::node& node, const std::string& key) const {
    const double value = positive(node, key);
    if (value > core::MeasureLimits::seconds)
      wrong_type(node, key, fmt::format("at most {:.0f} s (a week)", core::MeasureLimits::seconds));
    return value;
  }

  double fraction(const toml::node& node, const std::string& key) const {
    const double value = positive(node, key);
    if (value >= 1) wrong_type(node, key, "a number between 0 and 1");
    return value;
  }

  std::int64_t count(const toml::node& node, const std::string& key, std::int64_t most) const {
    const auto value = node.value<std::int64_t>();
    if (!node.is_integer() || !value || *value < 1 || *value > most)
      wrong_type(node, key, fmt::format("a whole number from 1 to {}", most));
    return *value;
  }

  /// A word, a number, or a list of them, as written.
  std::vector<std::string> words(const toml::node& node, const std::string& key) const {
    std::vector<std::string> found;
    const auto add = [&](const toml::node& item) {
      if (const auto* string = item.as_string())
        found.push_back(string->get());
      else if (const auto* integer = item.as_integer())
        found.push_back(std::to_string(integer->get()));
      else
        wrong_type(item, key, "a string, a whole number, or a list of them");
    };
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) add(item);
      if (found.empty()) usage_error(fmt::format("{}: key '{}': the list is empty", where(node), key));
    } else {
      add(node);
    }
    return found;
  }

  using Keys =
      std::vector<std::pair<std::string, std::function<void(const toml::node&, const std::string&)>>>;

  /// Hands each key of a table to its reader; a key that has none is an error that lists those there are.
  void read_table(const toml::node& node, const std::string& name, const Keys& keys) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) wrong_type(node, name, "a table");
    for (const auto& [key, value] : *table) {
      const std::string word(key.str());
      const auto known = std::ranges::find(keys, word, &Keys::value_type::first);
      if (known == keys.end())
        usage_error(fmt::format("{}: {}: {}", where(value), word,
                                core::unknown_key(word, core::keys_of(keys), name)));
      known->second(value, word);
    }
  }

 private:
  std::string file_;
};

void read_measure(const Reader& reader, const toml::node& node, core::MeasureOptions& options) {
  const auto into = [&reader](double& target) {
    return [&reader, &target](const toml::node& value, const std::string& key) {
      target = reader.positive(value, key);
    };
  };
  const auto fraction_into = [&reader](double& target) {
    return [&reader, &target](const toml::node& value, const std::string& key) {
      target = reader.fraction(value, key);
    };
  };
  const auto seconds_into = [&reader](double& target) {
    return [&reader, &target](const toml::node& value, const std::string& key) {
      target = reader.seconds(value, key);
    };
  };
  const auto count_into = [&reader](std::int64_t& target) {
    return [&reader, &target](const toml::node& value, const std::string& key) {
      target = reader.count(value, key, core::MeasureLimits::samples);
    };
  };
  reader.read_table(node, "[measure]",
                    {{"quantile", fraction_into(options.quantile)},
                     {"confidence", fraction_into(options.confidence)},
                     {"relative_width", into(options.relative_width)},
                     {"max_seconds", seconds_into(options.max_seconds)},
                     {"max_warmup_seconds", seconds_into(options.max_warmup_seconds)},
                     {"min_sample_seconds", seconds_into(options.min_sample_seconds)},
                     {"min_samples", count_into(options.min_samples)},
                     {"max_samples", count_into(options.max_samples)}});
  if (options.max_samples < options.min_samples)
    usage_error(fmt::format("{}: max_samples {} is below min_samples {}", reader.where(node),
                            options.max_samples, options.min_samples));
}

Sweep read_sweep(const Reader& reader, const toml::node& node, const core::MeasureOptions& defaults) {
  Sweep sweep{.measure = defaults, .where = reader.where(node)};
  reader.read_table(
      node, "[[sweep]]",
      {{"cases", [&](const auto& value, const auto& key) { sweep.cases = reader.words(value, key); }},
       {"repetitions",
        [&](const auto& value, const auto& key) {
          sweep.repetitions = static_cast<int>(reader.count(value, key, core::MeasureLimits::repetitions));
        }},
       {"measure", [&](const auto& value, const auto&) { read_measure(reader, value, sweep.measure); }},
       {"axes", [&](const toml::node& value, const std::string& key) {
          const toml::table* table = value.as_table();
          if (table == nullptr) reader.wrong_type(value, key, "a table of axis = values");
          for (const auto& [axis, values] : *table)
            sweep.axes.emplace_back(std::string(axis.str()), reader.words(values, std::string(axis.str())));
        }}});
  if (sweep.cases.empty()) usage_error(fmt::format("{}: [[sweep]] has no key 'cases'", sweep.where));
  return sweep;
}

}  // namespace

Plan parse_plan(const std::string& toml, const std::string& file) {
  const toml::table table = core::parse_toml(toml, file);
  const Reader reader(file);
  Plan plan{.name = file, .source = toml};
  core::MeasureOptions defaults;
  if (const toml::node* node = table.get("measure")) read_measure(reader, *node, defaults);
  reader.read_table(
      table, "the plan",
      {{"name", [&](const auto& value, const auto& key) { plan.name = reader.text(value, key); }},
       {"about", [&](const auto& value, const auto& key) { plan.about = reader.text(value, key); }},
       {"measure", [](const auto&, const auto&) {}},
       {"sweep", [&](const toml::node& value, const std::string& key) {
          const toml::array* list = value.as_array();
          if (list == nullptr) reader.wrong_type(value, key, "tables written as [[sweep]]");
          for (const toml::node& item : *list) plan.sweeps.push_back(read_sweep(reader, item, defaults));
        }}});
  if (plan.sweeps.empty())
    usage_error(fmt::format("{}: the plan has no [[sweep]]: there is nothing to run", file));
  return plan;
}

Plan read_plan(const std::string& path_or_name) {
  for (const BuiltIn& plan : built_in)
    if (plan.name == path_or_name)
      return parse_plan(std::string(plan.toml), std::string(plan.name) + ".toml");
  if (!core::is_there(path_or_name))
    usage_error(fmt::format(
        "plan '{}': no such file, and no built-in plan of that name (expected a file or one of: {})",
        path_or_name, fmt::join(built_in_plans(), " ")));
  return parse_plan(core::read_input(path_or_name, "a plan in TOML", longest_plan), path_or_name);
}

std::vector<std::string> built_in_plans() {
  std::vector<std::string> names;
  for (const BuiltIn& plan : built_in) names.emplace_back(plan.name);
  return names;
}

}  // namespace assay::plan
