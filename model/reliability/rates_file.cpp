// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/rates_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/toml_keys.hpp"

namespace assay::model::reliability {
namespace {

using core::usage_error;
constexpr double most_per_node_day = 1000;

/// One [[component]] table; what it does not state is the file's.
struct ComponentTable {
  std::string name, where;
  std::optional<std::int64_t> failures;
  std::optional<double> nodes, days, per_1000_node_days, repair_days;
};

/// One [[domain]] table.
struct DomainTable {
  FailureDomain domain;
  std::string where;
  std::optional<std::int64_t> failures;
  std::optional<double> units, days, per_1000_unit_days;
};

class RatesReader : private core::TomlKeys {
 public:
  using TomlKeys::TomlKeys;

  Rates read(const toml::table& table) {
    Rates rates;
    std::vector<ComponentTable> tables;
    std::vector<DomainTable> domains;
    double days = 0;
    each_key(table, "the table of rates",
             {{"name", [&](const toml::node& node) { rates.name = word(node, "name"); }},
              {"source", [&](const toml::node& node) { rates.source = word(node, "source"); }},
              {"nodes", [&](const toml::node& node) { rates.nodes = above_0(node, "nodes"); }},
              {"days", [&](const toml::node& node) { days = above_0(node, "days"); }},
              {"gpus_per_node",
               [&](const toml::node& node) {
                 rates.gpus_per_node = static_cast<int>(count(node, "gpus_per_node", 1, 1024));
               }},
              {"component", [&](const toml::node& node) { tables = component_tables(node); }},
              {"domain", [&](const toml::node& node) { domains = domain_tables(node); }},
              {"early_life", [&](const toml::node& node) {
                 rates.early_life = early_life(node, rates.early_life_source);
               }}});
    if (tables.empty()) usage_error(fmt::format("{}: no [[component]] in it", file()));
    add_rates(tables, domains, days, rates);
    if (rates.early_life && rates.early_life->per_day == 0)
      rates.early_life->per_day = rates.node.per_node_day;
    return rates;
  }

 private:
  double number(const toml::node& node, const std::string& key, const std::string& expected) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !value || !std::isfinite(*value)) wrong(node, key, expected);
    return *value;
  }

  double above_0(const toml::node& node, const std::string& key) const {
    constexpr double most = 1e9;  // nodes, or days: products stay finite
    const double value = number(node, key, "a number above 0");
    if (value <= 0) wrong(node, key, "a number above 0");
    if (value > most) wrong(node, key, "a number of at most 1e9");
    return value;
  }

  std::int64_t count(const toml::node& node, const std::string& key, std::int64_t least,
                     std::int64_t most) const {
    const auto value = node.value<std::int64_t>();
    if (!node.is_integer() || !value || *value < least || *value > most)
      wrong(node, key, fmt::format("a whole number from {} to {}", least, most));
    return *value;
  }

  ComponentTable component_table(const toml::table& table) {
    ComponentTable one{.name = {},
                       .where = where(table),
                       .failures = {},
                       .nodes = {},
                       .days = {},
                       .per_1000_node_days = {},
                       .repair_days = {}};
    const auto at_least_0 = [this](const toml::node& node, const std::string& key) {
      const double value = number(node, key, "a number of at least 0");
      if (value < 0) wrong(node, key, "a number of at least 0");
      return value;
    };
    each_key(
        table, "a component",
        {{"name", [&](const toml::node& node) { one.name = component(node); }},
         {"failures",
          [&](const toml::node& node) { one.failures = count(node, "failures", 0, 1'000'000'000); }},
         {"nodes", [&](const toml::node& node) { one.nodes = above_0(node, "nodes"); }},
         {"days", [&](const toml::node& node) { one.days = above_0(node, "days"); }},
         {"per_1000_node_days",
          [&](const toml::node& node) { one.per_1000_node_days = at_least_0(node, "per_1000_node_days"); }},
         {"repair_days",
          [&](const toml::node& node) { one.repair_days = at_least_0(node, "repair_days"); }}});
    if (one.name.empty()) usage_error(fmt::format("{}: a component without a name", one.where));
    if (one.failures.has_value() == one.per_1000_node_days.has_value())
      usage_error(fmt::format("{}: component '{}': expected either failures or per_1000_node_days", one.where,
                              one.name));
    return one;
  }

  std::string component(const toml::node& node) const {
    const std::string name = word(node, "name");
    if (std::ranges::count(components(), name) > 0) return name;
    const std::vector<std::string_view> names(components().begin(), components().end());
    usage_error(fmt::format("{}: unknown component '{}' (expected one of: {}){}", where(node), name,
                            fmt::join(names, " "), core::meant_instead_of(name, names)));
  }

  EarlyLife early_life(const toml::node& node, std::string& source) {
    if (!node.is_table()) wrong(node, "early_life", "a table [early_life]");
    EarlyLife life;
    const auto take = [&](double& value, const std::string& key, double above, double most,
                          const std::string& expected) {
      return std::pair{key, [&value, key, above, most, expected, this](const toml::node& one) {
                         value = number(one, key, expected);
                         if (!(value > above && value <= most)) wrong(one, key, expected);
                       }};
    };
    constexpr double any = 1e9;
    each_key(*node.as_table(), "early_life",
             {{"source", [&](const toml::node& one) { source = word(one, "source"); }},
              take(life.per_day, "per_day", 0, 1000, "failures a node-day, above 0"),
              take(life.early, "early", 0, 1000, "failures a node, above 0 and at most 1000"),
              take(life.scale_days, "scale_days", 0, any, "a number above 0"),
              take(life.shape, "shape", 0, 1, "a number above 0 and at most 1: the rate falls"),
              take(life.wear_scale_days, "wear_scale_days", 0, any, "a number above 0"),
              take(life.wear_shape, "wear_shape", 1, 20, "a number above 1 and at most 20: the rate grows")});
    if (!(life.early > 0)) usage_error(fmt::format("{}: early_life: expected `early`", where(node)));
    if (node.as_table()->contains("wear_shape") != node.as_table()->contains("wear_scale_days"))
      usage_error(fmt::format("{}: early_life: expected both `wear_scale_days` and `wear_shape`, or neither",
                              where(node)));
    return life;
  }

  std::vector<ComponentTable> component_tables(const toml::node& node) {
    if (!node.is_array_of_tables()) wrong(node, "component", "[[component]] tables");
    std::vector<ComponentTable> tables;
    for (const toml::node& each : *node.as_array()) {
      tables.push_back(component_table(*each.as_table()));
      if (std::ranges::count(tables, tables.back().name, &ComponentTable::name) > 1)
        usage_error(fmt::format("{}: component '{}' is there twice: expected one table of each",
                                tables.back().where, tables.back().name));
    }
    return tables;
  }

  DomainTable domain_table(const toml::table& table) {
    DomainTable one{.domain = {},
                    .where = where(table),
                    .failures = {},
                    .units = {},
                    .days = {},
                    .per_1000_unit_days = {}};
    each_key(table, "a domain",
             {{"name", [&](const toml::node& node) { one.domain.name = word(node, "name"); }},
              {"nodes", [&](const toml::node& node) { one.domain.nodes = count(node, "nodes", 2, 100'000); }},
              {"failures",
               [&](const toml::node& node) { one.failures = count(node, "failures", 0, 1'000'000'000); }},
              {"units", [&](const toml::node& node) { one.units = above_0(node, "units"); }},
              {"days", [&](const toml::node& node) { one.days = above_0(node, "days"); }},
              {"per_1000_unit_days",
               [&](const toml::node& node) { one.per_1000_unit_days = above_0(node, "per_1000_unit_days"); }},
              {"repair_days",
               [&](const toml::node& node) { one.domain.repair_days = above_0(node, "repair_days"); }}});
    if (one.domain.name.empty() || one.domain.nodes == 1)
      usage_error(fmt::format("{}: a domain without name and nodes", one.where));
    if (one.failures.has_value() == one.per_1000_unit_days.has_value() || (one.failures && !one.units))
      usage_error(fmt::format("{}: domain '{}': expected failures and units, or per_1000_unit_days",
                              one.where, one.domain.name));
    return one;
  }

  std::vector<DomainTable> domain_tables(const toml::node& node) {
    if (!node.is_array_of_tables()) wrong(node, "domain", "[[domain]] tables");
    std::vector<DomainTable> tables;
    for (const toml::node& each : *node.as_array()) {
      tables.push_back(domain_table(*each.as_table()));
      const auto same = [&](const DomainTable& one) { return one.domain.name == tables.back().domain.name; };
      if (std::ranges::count_if(tables, same) > 1)
        usage_error(fmt::format("{}: domain '{}' is there twice: expected one table of each",
                                tables.back().where, tables.back().domain.name));
    }
    return tables;
  }

  /// Each takes a job's node away as often as one of its own failures would, over the nodes that share it.
  void add_domains(const std::vector<DomainTable>& tables, double days, Rates& rates,
                   std::vector<CountedFailures>& counted, double& stated) {
    for (const DomainTable& one : tables) {
      rates.domains.push_back(one.domain);
      const auto nodes = static_cast<double>(one.domain.nodes);
      FailureRate& rate = rates.domains.back().rate;
      if (one.per_1000_unit_days) {
        rate.per_node_day = *one.per_1000_unit_days / 1000;
        stated += rate.per_node_day / nodes;
        continue;
      }
      const double unit_days = *one.units * one.days.value_or(days);
      if (unit_days <= 0)
        usage_error(fmt::format("{}: domain '{}': failures without days", one.where, one.domain.name));
      rate = rate_of({{one.domain.name, *one.failures, unit_days}});
      counted.push_back({one.domain.name, *one.failures, unit_days * nodes});
    }
  }

  /// The interval of the sum is known where that of every part is.
  void add_rates(const std::vector<ComponentTable>& tables, const std::vector<DomainTable>& domains,
                 double days, Rates& rates) {
    std::vector<CountedFailures> counted;
    double stated = 0;
    add_domains(domains, days, rates, counted, stated);
    for (const ComponentTable& one : tables) {
      if (one.per_1000_node_days) {
        stated += *one.per_1000_node_days / 1000;
        rates.components.push_back(
            {one.name, {.per_node_day = *one.per_1000_node_days / 1000}, one.repair_days});
        continue;
      }
      const double node_days = one.nodes.value_or(rates.nodes) * one.days.value_or(days);
      if (node_days <= 0)
        usage_error(fmt::format("{}: component '{}': failures without nodes and days", one.where, one.name));
      counted.push_back({one.name, *one.failures, node_days});
      rates.components.push_back({one.name, rate_of({counted.back()}), one.repair_days});
    }
    if (!counted.empty()) rates.node = rate_of(counted);
    rates.node.per_node_day += stated;
    if (counted.size() < tables.size() + domains.size()) rates.node.interval.reset();
    if (rates.node.per_node_day > most_per_node_day)
      usage_error(fmt::format("{}: {:g} failures a node-day, expected at most {:g}", file(),
                              rates.node.per_node_day, most_per_node_day));
  }
};

}  // namespace

Rates parse_rates(const std::string& text, const std::string& file) {
  return RatesReader(file).read(core::parse_toml(text, file));
}

Rates read_rates(const std::string& file) {
  return RatesReader(file).read(core::read_toml(file, "a table of failure rates"));
}

}  // namespace assay::model::reliability
