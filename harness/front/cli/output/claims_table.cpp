// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/claims_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <map>

#include "model/claims/claims_file.hpp"

namespace assay::cli {
namespace {

using model::claims::Claim;
using model::claims::Quantity;
using model::claims::TestedClaim;

std::string text_of(const model::claims::Expectation& expected) {
  if (!expected.word.empty()) return expected.word;
  if (!expected.part.empty()) return fmt::format("... {} ...", expected.part);
  if (!expected.most) return fmt::format("at least {:.6g}", *expected.least);
  if (!expected.least) return fmt::format("at most {:.6g}", *expected.most);
  if (*expected.least == *expected.most) return fmt::format("{:.6g}", *expected.least);
  return fmt::format("{:.4g} to {:.4g}", *expected.least, *expected.most);
}

std::string text_of(const Quantity& quantity) {
  if (quantity.given) return fmt::format("{:.6g}", *quantity.given);
  std::string text = "assay " + quantity.command;
  constexpr std::string_view joint = " && ";
  for (auto at = text.find(joint); at != std::string::npos; at = text.find(joint, at + 1))
    text.replace(at, joint.size(), " && assay ");
  return quantity.of_records() ? fmt::format("{}: {} of {}", text, quantity.metric, quantity.point) : text;
}

std::string command_of(const Claim& claim) {
  const std::string own = text_of(claim.quantity);
  return claim.against ? own + "; over: " + text_of(*claim.against) : own;
}

results::Table table_with(const char* title, std::initializer_list<const char*> columns) {
  results::Table table{.title = title};
  for (const char* const name : columns) table.columns.push_back({.name = name});
  return table;
}

results::Cell found_by(const TestedClaim& tested) {
  if (!tested.word.empty()) return tested.word;
  return tested.value ? results::Cell(results::Number{.value = *tested.value}) : results::Cell();
}

std::vector<results::Cell> row_of(const TestedClaim& tested) {
  const Claim& claim = *tested.claim;
  return {claim.id,
          fmt::format("{}", fmt::join(claim.of, " ")),
          claim.source,
          claim.says,
          text_of(claim.expected),
          found_by(tested),
          claim.unit,
          tested.evidence,
          tested.verdict()};
}

}  // namespace

results::Table claims_table(std::span<const TestedClaim> tested, bool commands) {
  results::Table table =
      table_with("Published claims, and what assay finds",
                 {"row", "of", "source", "says", "expected", "found", "unit", "evidence", "verdict"});
  table.columns[5].kind = results::Column::Kind::number;
  if (commands) table.columns.push_back({.name = "command"});
  for (const TestedClaim& one : tested) {
    table.rows.push_back(row_of(one));
    if (commands) table.rows.back().emplace_back(command_of(*one.claim));
  }
  return table;
}

results::Table claim_sources_table(std::span<const TestedClaim> tested) {
  struct Verdicts {
    std::int64_t agree = 0, disagree = 0, open = 0;
  };
  std::map<std::string, Verdicts> sources;
  for (const TestedClaim& one : tested) {
    Verdicts& verdicts = sources[one.claim->source];
    ++(!one.found() ? verdicts.open : one.agrees() ? verdicts.agree : verdicts.disagree);
  }
  results::Table table = table_with("Published claims by source",
                                    {"source", "claims", "agree", "disagree", "cannot be tested here"});
  for (std::size_t column = 1; column < table.columns.size(); ++column)
    table.columns[column].kind = results::Column::Kind::count;
  for (const auto& [source, verdicts] : sources)
    table.rows.push_back({source, verdicts.agree + verdicts.disagree + verdicts.open, verdicts.agree,
                          verdicts.disagree, verdicts.open});
  return table;
}

results::Table scenarios_table(std::span<const TestedClaim> tested) {
  results::Table table = table_with(
      "Scenarios of a fabric",
      {"scenario", "source", "says", "printed", "expected", "simulated", "unit", "verdict", "command"});
  table.columns[5].kind = results::Column::Kind::number;
  std::vector<const TestedClaim*> ordered;
  for (const TestedClaim& one : tested)
    if (one.claim->scenario) ordered.push_back(&one);
  std::ranges::stable_sort(ordered, {}, [](const TestedClaim* one) { return *one->claim->scenario; });
  for (const TestedClaim* one : ordered) {
    const Claim& claim = *one->claim;
    table.rows.push_back({fmt::format("{}", *claim.scenario), claim.source, claim.says,
                          claim.printed ? fmt::format("{:.6g}", *claim.printed) : "", text_of(claim.expected),
                          found_by(*one), claim.unit, one->verdict(), command_of(claim)});
  }
  return table;
}

results::Table claim_ids_table(std::span<const Claim> claims) {
  const std::map<std::string, std::string> tests = model::claims::shipped_held_by();
  std::vector<std::string> ids;
  for (const auto& [id, test] : tests) ids.push_back(id);
  std::ranges::sort(ids, [](const std::string& left, const std::string& right) {
    return left[0] != right[0] ? left[0] < right[0] : std::stoi(left.substr(1)) < std::stoi(right.substr(1));
  });
  results::Table table = table_with("Published claims by id", {"id", "rows", "held by"});
  for (const std::string& id : ids) {
    std::vector<std::string> rows;
    for (const Claim& claim : claims)
      if (std::ranges::find(claim.of, id) != claim.of.end()) rows.push_back(claim.id);
    table.rows.push_back({id, fmt::format("{}", fmt::join(rows, ", ")), tests.at(id)});
  }
  return table;
}

}  // namespace assay::cli
