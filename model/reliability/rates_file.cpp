// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/rates_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"

namespace assay::model::reliability {
namespace {

using core::usage_error;
constexpr double most_per_node_day = 1000;

constexpr core::Terms above_zero{
    .lowest = 0, .highest = 1e9, .excludes_lowest = true, .may_be_absent = true};  // products stay finite
constexpr core::Terms count{.lowest = 0, .highest = 1e9};

/// Keys of the whole file, besides its tables.
struct RatesTable {
  std::string name, source;
  double nodes = 0, days = 0;
  int gpus_per_node = 8;
};
constexpr auto fields_of(core::Type<RatesTable>) {
  using core::Field;
  constexpr core::Terms gpus{.lowest = 1, .highest = 1024, .may_be_absent = true};
  return std::tuple(Field<"name", &RatesTable::name>{core::identity.where_known()},
                    Field<"source", &RatesTable::source>{core::identity.where_known()},
                    Field<"nodes", &RatesTable::nodes>{above_zero},
                    Field<"days", &RatesTable::days>{above_zero},
                    Field<"gpus_per_node", &RatesTable::gpus_per_node>{gpus});
}

/// One [[component]] table; what it does not state is the file's.
struct ComponentTable {
  std::string name, where;
  std::optional<std::int64_t> failures;
  std::optional<double> nodes, days, per_1000_node_days, repair_days;
};
constexpr auto fields_of(core::Type<ComponentTable>) {
  using core::Field;
  return std::tuple(Field<"name", &ComponentTable::name>{core::identity},
                    Field<"failures", &ComponentTable::failures>{count},
                    Field<"nodes", &ComponentTable::nodes>{above_zero},
                    Field<"days", &ComponentTable::days>{above_zero},
                    Field<"per_1000_node_days", &ComponentTable::per_1000_node_days>{core::from_zero},
                    Field<"repair_days", &ComponentTable::repair_days>{core::from_zero});
}

/// One [[domain]] table.
struct DomainTable {
  std::string name, where;
  std::int64_t nodes = 1;
  std::optional<std::int64_t> failures;
  std::optional<double> units, days, per_1000_unit_days, repair_days;
};
constexpr auto fields_of(core::Type<DomainTable>) {
  using core::Field;
  return std::tuple(Field<"name", &DomainTable::name>{core::identity},
                    Field<"nodes", &DomainTable::nodes>{{.lowest = 2, .highest = 100'000}},
                    Field<"failures", &DomainTable::failures>{count},
                    Field<"units", &DomainTable::units>{above_zero},
                    Field<"days", &DomainTable::days>{above_zero},
                    Field<"per_1000_unit_days", &DomainTable::per_1000_unit_days>{above_zero},
                    Field<"repair_days", &DomainTable::repair_days>{above_zero});
}

/// All [[key]] tables, of which no two have one name.
template <class Table>
std::vector<Table> tables_in(const core::TomlSection& root, std::string_view key) {
  std::vector<Table> tables;
  for (const core::TomlSection& section : root.tables(key)) {
    Table& one = tables.emplace_back();
    one.where = section.place();
    core::read_fields(section, one);
    if (std::ranges::count(tables, one.name, &Table::name) > 1)
      usage_error(
          fmt::format("{}: {} '{}' is there twice: expected one table of each", one.where, key, one.name));
  }
  return tables;
}

class RatesReader {
 public:
  explicit RatesReader(const core::TomlSection& root) : root_(root) {}

  Rates read() {
    RatesTable whole;
    core::read_fields(root_, whole, {"component", "domain", "early_life"});
    Rates rates{.name = whole.name,
                .source = whole.source,
                .nodes = whole.nodes,
                .gpus_per_node = whole.gpus_per_node,
                .components = {}};
    const std::vector<ComponentTable> tables = component_tables();
    const std::vector<DomainTable> domains = domain_tables();
    read_early_life(rates);
    if (tables.empty()) usage_error(fmt::format("{}: no [[component]] in it", file()));
    add_rates(tables, domains, whole.days, rates);
    if (rates.early_life && rates.early_life->per_day == 0)
      rates.early_life->per_day = rates.node.per_node_day;
    return rates;
  }

 private:
  const std::string& file() const { return root_.source().file; }

  std::vector<ComponentTable> component_tables() const {
    const std::vector<std::string_view> known(components().begin(), components().end());
    for (const core::TomlSection& section : root_.tables("component"))
      if (const auto name = section.word("name"); name && std::ranges::count(known, *name) == 0)
        section.refuse_choice("name", *name, known);
    std::vector<ComponentTable> tables = tables_in<ComponentTable>(root_, "component");
    for (const ComponentTable& one : tables)
      if (one.failures.has_value() == one.per_1000_node_days.has_value())
        usage_error(fmt::format("{}: component '{}': expected either failures or per_1000_node_days",
                                one.where, one.name));
    return tables;
  }

  std::vector<DomainTable> domain_tables() const {
    std::vector<DomainTable> tables = tables_in<DomainTable>(root_, "domain");
    for (const DomainTable& one : tables)
      if (one.failures.has_value() == one.per_1000_unit_days.has_value() || (one.failures && !one.units))
        usage_error(fmt::format("{}: domain '{}': expected failures and units, or per_1000_unit_days",
                                one.where, one.name));
    return tables;
  }

  void read_early_life(Rates& rates) const {
    const auto section = root_.table("early_life");
    if (!section) return;
    core::read_fields(*section, rates.early_life.emplace(), {"source"});
    rates.early_life_source = section->word("source").value_or("");
    if (section->has("wear_shape") != section->has("wear_scale_days"))
      usage_error(fmt::format("{}: early_life: expected both `wear_scale_days` and `wear_shape`, or neither",
                              section->place()));
  }

  /// Each takes a job's node away as often as one of its own failures would, over the nodes that share it.
  void add_domains(const std::vector<DomainTable>& tables, double days, Rates& rates,
                   std::vector<CountedFailures>& counted, double& stated) {
    for (const DomainTable& one : tables) {
      rates.domains.push_back({.name = one.name, .nodes = one.nodes, .repair_days = one.repair_days});
      const auto nodes = static_cast<double>(one.nodes);
      FailureRate& rate = rates.domains.back().rate;
      if (one.per_1000_unit_days) {
        rate.per_node_day = *one.per_1000_unit_days / 1000;
        stated += rate.per_node_day / nodes;
        continue;
      }
      const double unit_days = *one.units * one.days.value_or(days);
      if (unit_days <= 0)
        usage_error(fmt::format("{}: domain '{}': failures without days", one.where, one.name));
      rate = rate_of({{one.name, *one.failures, unit_days}});
      counted.push_back({one.name, *one.failures, unit_days * nodes});
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

  core::TomlSection root_;
};

}  // namespace

Rates parse_rates(const std::string& text, const std::string& file) {
  return RatesReader(core::TomlFile(text, file).root()).read();
}

Rates read_rates(const std::string& file) {
  return RatesReader(core::read_toml(file, "a table of failure rates").root()).read();
}

}  // namespace assay::model::reliability
