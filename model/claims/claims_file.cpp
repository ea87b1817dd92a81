// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/claims_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"

namespace assay::model::claims {
namespace {

constexpr std::array kinds_of_evidence{evidence::computed, evidence::predicted, evidence::simulated,
                                       evidence::imported, evidence::measured,  evidence::host_twin};

/// Keys of one row while they are read.
struct Row {
  Claim claim;
  Quantity against;
  std::optional<double> expected, within;
};

constexpr core::Terms any = core::any_value.where_known();
constexpr std::tuple rows_of_claim{core::Field<"id", &Claim::id>{core::identity},
                                   core::Field<"source", &Claim::source>{core::identity},
                                   core::Field<"says", &Claim::says>{core::identity},
                                   core::Field<"evidence", &Claim::evidence>{core::identity},
                                   core::Field<"unit", &Claim::unit>{any},
                                   core::Field<"needs", &Claim::needs>{any},
                                   core::Field<"printed", &Claim::printed>{},
                                   core::Field<"scenario", &Claim::scenario>{},
                                   core::Field<"contradicts", &Claim::contradicts>{any}};
constexpr std::tuple rows_of_number{
    core::Field<"command", &Quantity::command>{any}, core::Field<"value", &Quantity::value>{any},
    core::Field<"point", &Quantity::point>{any},     core::Field<"metric", &Quantity::metric>{any},
    core::Field<"pick", &Quantity::pick>{any},       core::Field<"given", &Quantity::given>{}};
constexpr std::tuple rows_of_divisor{core::Field<"against", &Quantity::command>{any},
                                     core::Field<"against_value", &Quantity::value>{any},
                                     core::Field<"against_point", &Quantity::point>{any},
                                     core::Field<"against_metric", &Quantity::metric>{any},
                                     core::Field<"against_pick", &Quantity::pick>{any},
                                     core::Field<"against_given", &Quantity::given>{}};
constexpr std::tuple rows_of_bounds{
    core::Field<"at_least", &Expectation::least>{}, core::Field<"at_most", &Expectation::most>{},
    core::Field<"is", &Expectation::word>{any}, core::Field<"has", &Expectation::part>{any}};
constexpr std::tuple rows_of_interval{core::Field<"expected", &Row::expected>{},
                                      core::Field<"within", &Row::within>{core::from_zero}};

/// All of these rows in one table, with the key that is read by itself.
void read_claim(const core::TomlSection& section, Row& row) {
  std::vector<std::string_view> keys{"of"};
  const auto add = [&](const auto&... rows) {
    const auto add_one = [&](const std::vector<std::string_view>& names) {
      keys.insert(keys.end(), names.begin(), names.end());
    };
    (add_one(core::names_of(rows)), ...);
  };
  add(rows_of_claim, rows_of_number, rows_of_divisor, rows_of_bounds, rows_of_interval);
  section.allow(keys);
  core::read_rows(section, rows_of_claim, row.claim);
  core::read_rows(section, rows_of_number, row.claim.quantity);
  core::read_rows(section, rows_of_divisor, row.against);
  core::read_rows(section, rows_of_bounds, row.claim.expected);
  core::read_rows(section, rows_of_interval, row);
}

std::vector<std::string> claimed_ids(const core::TomlSection& section) {
  const auto text = section.word("of");
  if (!text) section.missing("of", "ids of published claims, such as \"A1 B2\"");
  std::istringstream words(*text);
  return {std::istream_iterator<std::string>(words), {}};
}

class ClaimsReader {
 public:
  std::vector<Claim> read(const core::TomlSection& root) {
    root.allow({"claim"});
    for (const core::TomlSection& section : root.tables("claim")) claims_.push_back(read_one(section));
    if (claims_.empty()) core::usage_error(fmt::format("{}: no [[claim]] in it", root.source().file));
    return std::move(claims_);
  }

 private:
  Claim read_one(const core::TomlSection& section) {
    Row row;
    read_claim(section, row);
    row.claim.of = claimed_ids(section);
    require(section, row);
    take_against(row);
    take_bounds(section, row);
    return std::move(row.claim);
  }

  /// Refuses a row without a key that every row has, or whose number's place does not fit its evidence.
  void require(const core::TomlSection& section, const Row& row) {
    const Claim& claim = row.claim;
    const Quantity& quantity = claim.quantity;
    std::string command = quantity.command;
    if (quantity.given) command += row.against.command;  // the command's number divides it
    if (command.empty()) section.missing("command", "a command of assay");
    if (!ids_.insert(claim.id).second) section.refuse("id", fmt::format("expected one claim '{}'", claim.id));
    if (std::ranges::find(kinds_of_evidence, claim.evidence) == kinds_of_evidence.end())
      section.refuse("evidence", fmt::format("expected one of {}", fmt::join(kinds_of_evidence, ", ")));
    const bool is_timed = claim.on_this_host() && quantity.value == elapsed_s;
    const bool of_records = (claim.from_store() || claim.on_this_host()) && !is_timed;
    if (of_records && (quantity.point.empty() || quantity.metric.empty()))
      section.refuse("point", "expected point and metric where the evidence is " + claim.evidence);
    if (!of_records && (!quantity.point.empty() || quantity.value.empty() != quantity.given.has_value()))
      section.refuse("value", "expected value or given where the evidence is " + claim.evidence);
    if (claim.scenario && (*claim.scenario < 1 || *claim.scenario != std::floor(*claim.scenario)))
      section.refuse("scenario", "expected a whole number from 1");
    if (claim.from_store() && claim.needs.empty())
      section.missing("needs", "what a site must have to measure it");
  }

  /// Takes the divisor; keys that are not given for it are those of the number itself.
  static void take_against(Row& row) {
    Quantity& against = row.against;
    const Quantity& own = row.claim.quantity;
    if (against.command.empty() && against.value.empty() && against.point.empty() && against.metric.empty() &&
        !against.given)
      return;
    if (against.command.empty()) against.command = own.command;
    if (against.value.empty()) against.value = own.value;
    if (against.point.empty()) against.point = own.point;
    if (against.metric.empty()) against.metric = own.metric;
    row.claim.against = std::move(against);
  }

  static void take_bounds(const core::TomlSection& section, Row& row) {
    Expectation& expected = row.claim.expected;
    if (row.expected.has_value() != row.within.has_value())
      section.refuse("within", "expected expected and within together");
    if (row.expected) {
      expected.least = *row.expected - *row.within;
      expected.most = *row.expected + *row.within;
    }
    if (!expected.least && !expected.most && expected.word.empty() && expected.part.empty())
      section.missing("expected",
                      "expected and within, at_least, at_most, is or has: a claim that cannot fail is none");
  }

  std::vector<Claim> claims_;
  std::set<std::string> ids_;
};

}  // namespace

std::vector<Claim> parse_claims(std::string_view toml, const std::string& file) {
  return ClaimsReader().read(core::TomlFile(toml, file).root());
}

std::vector<Claim> shipped_claims(const std::vector<std::string>& ids) {
  std::vector<Claim> all = shipped_claims();
  if (ids.empty()) return all;
  std::vector<Claim> chosen;
  std::set<std::string> unknown(ids.begin(), ids.end());
  for (Claim& claim : all) {
    std::vector<std::string> names = claim.of;
    names.push_back(claim.id);
    const bool is_chosen = std::ranges::any_of(
        names, [&](const std::string& name) { return std::ranges::find(ids, name) != ids.end(); });
    for (const std::string& name : names) unknown.erase(name);
    if (is_chosen) chosen.push_back(std::move(claim));
  }
  if (!unknown.empty()) core::usage_error(fmt::format("claims: no claim '{}'", *unknown.begin()));
  return chosen;
}

std::map<std::string, std::string> parse_held_by(std::string_view toml, const std::string& file) {
  const core::TomlFile held(toml, file);
  held.root().allow({"held_by"});
  std::map<std::string, std::string> tests;
  if (const auto table = held.root().table("held_by"))
    for (const std::string& id : table->keys()) tests.emplace(id, *table->word(id));
  return tests;
}

}  // namespace assay::model::claims
