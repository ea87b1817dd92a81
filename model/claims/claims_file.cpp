// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/claims_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/toml_keys.hpp"

namespace assay::model::claims {
namespace {

class ClaimsReader : private core::TomlKeys {
 public:
  using TomlKeys::TomlKeys;

  std::vector<Claim> read(const toml::table& table) {
    each_key(table, "a file of claims", {{"claim", [&](const toml::node& node) { read_all(node); }}});
    if (claims_.empty()) core::usage_error(fmt::format("{}: no [[claim]] in it", file()));
    return std::move(claims_);
  }

 private:
  double number(const toml::node& node, const std::string& key) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !value || !std::isfinite(*value)) wrong(node, key, "a number");
    return *value;
  }

  void read_all(const toml::node& node) {
    const toml::array* const tables = node.as_array();
    if (tables == nullptr || !tables->is_array_of_tables()) wrong(node, "claim", "tables: [[claim]]");
    for (const toml::node& one : *tables) claims_.push_back(read_one(*one.as_table()));
  }

  Claim read_one(const toml::table& table) {
    Claim claim;
    std::optional<double> expected, within;
    const auto take_word = [&](std::string& into, const char* key) {
      return std::pair<const std::string, Take>(
          key, [&into, key, this](const toml::node& node) { into = word(node, key); });
    };
    const auto take_number = [&](std::optional<double>& into, const char* key) {
      return std::pair<const std::string, Take>(
          key, [&into, key, this](const toml::node& node) { into = number(node, key); });
    };
    each_key(table, "a claim",
             {take_word(claim.id, "id"),
              take_word(claim.source, "source"),
              take_word(claim.says, "says"),
              take_word(claim.evidence, "evidence"),
              take_word(claim.quantity.command, "command"),
              take_word(claim.quantity.value, "value"),
              take_word(claim.quantity.against, "against"),
              take_word(claim.quantity.against_value, "against_value"),
              take_word(claim.quantity.unit, "unit"),
              take_number(claim.printed, "printed"),
              take_number(expected, "expected"),
              take_number(within, "within"),
              take_number(claim.expected.least, "at_least"),
              take_number(claim.expected.most, "at_most"),
              {"of", [&](const toml::node& node) { claim.of = ids(node); }}});
    finish(table, expected, within, claim);
    return claim;
  }

  std::vector<std::string> ids(const toml::node& node) const {
    std::istringstream words(word(node, "of"));
    std::vector<std::string> ids;
    for (std::string id; words >> id;) ids.push_back(id);
    return ids;
  }

  void finish(const toml::table& table, std::optional<double> expected, std::optional<double> within,
              Claim& claim) {
    Quantity& quantity = claim.quantity;
    for (const auto& [key, text] : {std::pair{"id", claim.id},
                                    {"source", claim.source},
                                    {"says", claim.says},
                                    {"evidence", claim.evidence},
                                    {"command", quantity.command},
                                    {"value", quantity.value}})
      if (text.empty()) core::usage_error(fmt::format("{}: key '{}' is missing", where(table), key));
    if (!ids_.insert(claim.id).second) wrong(table, "id", fmt::format("one claim '{}'", claim.id));
    if (quantity.against_value.empty()) quantity.against_value = quantity.value;
    if (expected.has_value() != within.has_value()) wrong(table, "within", "expected and within together");
    if (within && *within < 0) wrong(table, "within", "a number of at least 0");
    if (expected) claim.expected = {*expected - *within, *expected + *within};
    if (!claim.expected.least && !claim.expected.most)
      wrong(table, "expected", "expected and within, at_least or at_most: a claim that cannot fail is none");
  }

  std::vector<Claim> claims_;
  std::set<std::string> ids_;
};

}  // namespace

std::vector<Claim> parse_claims(std::string_view toml, const std::string& file) {
  return ClaimsReader(file).read(core::parse_toml(toml, file));
}

}  // namespace assay::model::claims
