// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/claims_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/text/toml_keys.hpp"

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

class ClaimsReader : private core::TomlKeys {
 public:
  using TomlKeys::TomlKeys;

  std::vector<Claim> read(const toml::table& table) {
    each_key(table, "a file of claims", {{"claim", [&](const toml::node& node) { read_all(node); }}});
    if (claims_.empty()) core::usage_error(fmt::format("{}: no [[claim]] in it", file()));
    return std::move(claims_);
  }

 private:
  using Key = std::pair<const std::string, Take>;

  double number(const toml::node& node, const std::string& key) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !value || !std::isfinite(*value)) wrong(node, key, "a number");
    return *value;
  }

  Key take_word(std::string& into, const char* key) const {
    return {key, [&into, key, this](const toml::node& node) { into = word(node, key); }};
  }

  Key take_number(std::optional<double>& into, const char* key) const {
    return {key, [&into, key, this](const toml::node& node) { into = number(node, key); }};
  }

  Key take_flag(bool& into, const char* key) const {
    return {key, [&into, key, this](const toml::node& node) {
              if (!node.is_boolean()) wrong(node, key, "true or false");
              into = *node.value<bool>();
            }};
  }

  Key take_pick(Pick& into, const char* key) const {
    return {key, [&into, key, this](const toml::node& node) {
              const std::string name = word(node, key);
              if (name == "median" || name == "least" || name == "most")
                into = name == "median" ? Pick::median : name == "least" ? Pick::least : Pick::most;
              else
                wrong(node, key, "median, least or most");
            }};
  }

  void read_all(const toml::node& node) {
    const toml::array* const tables = node.as_array();
    if (tables == nullptr || !tables->is_array_of_tables()) wrong(node, "claim", "tables: [[claim]]");
    for (const toml::node& one : *tables) claims_.push_back(read_one(*one.as_table()));
  }

  Claim read_one(const toml::table& table) {
    Row row;
    Claim& claim = row.claim;
    Quantity &quantity = claim.quantity, &against = row.against;
    each_key(table, "a claim",
             {take_word(claim.id, "id"),
              take_word(claim.source, "source"),
              take_word(claim.says, "says"),
              take_word(claim.evidence, "evidence"),
              take_word(claim.unit, "unit"),
              take_word(claim.needs, "needs"),
              take_number(claim.printed, "printed"),
              take_number(claim.scenario, "scenario"),
              take_word(quantity.command, "command"),
              take_word(quantity.value, "value"),
              take_word(quantity.point, "point"),
              take_word(quantity.metric, "metric"),
              take_pick(quantity.pick, "pick"),
              take_number(quantity.given, "given"),
              take_word(against.command, "against"),
              take_word(against.value, "against_value"),
              take_word(against.point, "against_point"),
              take_word(against.metric, "against_metric"),
              take_pick(against.pick, "against_pick"),
              take_number(against.given, "against_given"),
              take_number(row.expected, "expected"),
              take_number(row.within, "within"),
              take_number(claim.expected.least, "at_least"),
              take_number(claim.expected.most, "at_most"),
              take_word(claim.expected.word, "is"),
              take_word(claim.expected.part, "has"),
              take_flag(claim.contradicts, "contradicts"),
              {"of", [&](const toml::node& node) { claim.of = ids(node); }}});
    require(table, row);
    take_against(row);
    take_bounds(table, row);
    return std::move(row.claim);
  }

  std::vector<std::string> ids(const toml::node& node) const {
    std::istringstream words(word(node, "of"));
    std::vector<std::string> ids;
    for (std::string id; words >> id;) ids.push_back(id);
    return ids;
  }

  /// Refuses a row without a key that every row has, or whose number's place does not fit its evidence.
  void require(const toml::table& table, const Row& row) {
    const Claim& claim = row.claim;
    const Quantity& quantity = claim.quantity;
    std::string command = quantity.command;
    if (quantity.given) command += row.against.command;  // the command's number divides it
    for (const auto& [key, text] : {std::pair{"id", claim.id},
                                    {"source", claim.source},
                                    {"says", claim.says},
                                    {"evidence", claim.evidence},
                                    {"command", command}})
      if (text.empty()) core::usage_error(fmt::format("{}: key '{}' is missing", where(table), key));
    if (claim.of.empty()) core::usage_error(fmt::format("{}: key 'of' is missing", where(table)));
    if (!ids_.insert(claim.id).second) wrong(table, "id", fmt::format("one claim '{}'", claim.id));
    if (std::ranges::find(kinds_of_evidence, claim.evidence) == kinds_of_evidence.end())
      wrong(table, "evidence", fmt::format("one of {}", fmt::join(kinds_of_evidence, ", ")));
    const bool is_timed = claim.on_this_host() && quantity.value == elapsed_s;
    const bool of_records = (claim.from_store() || claim.on_this_host()) && !is_timed;
    if (of_records && (quantity.point.empty() || quantity.metric.empty()))
      wrong(table, "point", "point and metric where the evidence is " + claim.evidence);
    if (!of_records && (!quantity.point.empty() || quantity.value.empty() != quantity.given.has_value()))
      wrong(table, "value", "value or given where the evidence is " + claim.evidence);
    if (claim.scenario && (*claim.scenario < 1 || *claim.scenario != std::floor(*claim.scenario)))
      wrong(table, "scenario", "a whole number from 1");
    if (claim.from_store() && claim.needs.empty())
      wrong(table, "needs", "what a site must have to measure it");
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

  void take_bounds(const toml::table& table, Row& row) const {
    Expectation& expected = row.claim.expected;
    if (row.expected.has_value() != row.within.has_value())
      wrong(table, "within", "expected and within together");
    if (row.within && *row.within < 0) wrong(table, "within", "a number of at least 0");
    if (row.expected) {
      expected.least = *row.expected - *row.within;
      expected.most = *row.expected + *row.within;
    }
    if (!expected.least && !expected.most && expected.word.empty() && expected.part.empty())
      wrong(table, "expected",
            "expected and within, at_least, at_most, is or has: a claim that cannot fail is none");
  }

  std::vector<Claim> claims_;
  std::set<std::string> ids_;
};

class HeldByReader : private core::TomlKeys {
 public:
  using TomlKeys::TomlKeys;

  std::map<std::string, std::string> read(const toml::table& table) {
    std::map<std::string, std::string> tests;
    each_key(table, "a file of tests", {{"held_by", [&](const toml::node& node) {
                                           if (!node.is_table()) wrong(node, "held_by", "ids and files");
                                           for (const auto& [id, file] : *node.as_table())
                                             tests.emplace(id.str(), word(file, std::string(id.str())));
                                         }}});
    return tests;
  }
};

}  // namespace

std::vector<Claim> parse_claims(std::string_view toml, const std::string& file) {
  return ClaimsReader(file).read(core::parse_toml(toml, file));
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
  return HeldByReader(file).read(core::parse_toml(toml, file));
}

}  // namespace assay::model::claims
