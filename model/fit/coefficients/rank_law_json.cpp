// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/coefficients/rank_law_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

#include "model/fit/coefficients/fit_json.hpp"

namespace assay::model::fit {
namespace {

constexpr const char* laws_key = "rank_laws";

Json json_of(const RankRegime& regime) {
  Json json{{"from_bytes", regime.from_bytes}, {"to_bytes", regime.to_bytes}, {"rows", regime.rows}};
  for (const Coefficient* of : {&regime.step, &regime.bandwidth, &regime.call})
    json[of->name] = fit::json_of(*of);
  return json;
}

Json json_of(const RankLaw& law) {
  Json json{{"system", law.system}, {"operation", law.operation}, {"algorithm", law.algorithm},
            {"dtype", law.dtype},   {"shape", law.shape->name},   {"ranks", law.ranks}};
  if (law.tier() != Tier::unknown) json["nodes"] = law.nodes;
  for (const RankRegime& regime : law.regimes) json["regimes"].push_back(json_of(regime));
  Json& held_out = json["held_out_ranks"] = fit::json_of(law.held_out);
  for (const auto& [ranks, of] : law.held_out_of)
    held_out["by_ranks"].push_back({{"ranks", ranks}, {"error", fit::json_of(of)}});
  return json;
}

const RankShape* shape_from(const JsonKeys& keys, const std::string& operation) {
  const std::span<const RankShape> shapes = rank_shapes(operation);
  if (shapes.empty()) keys.fail("operation", "a collective among several ranks", keys.at("operation"));
  const RankShape* const found = rank_shape(operation, keys.word("shape"));
  if (found == nullptr)
    keys.fail("shape",
              fmt::format("one of {}", fmt::join(shapes | std::views::transform(&RankShape::name), ", ")),
              keys.at("shape"));
  return found;
}

/// Ascending, each from 2 on, as the law was measured with.
std::vector<std::int64_t> ranks_from(const JsonKeys& keys) {
  std::vector<std::int64_t> ranks;
  for (const JsonValue of : keys.list("ranks")) {
    if (!of.is_number_integer() || of.get<std::int64_t>() < 2 ||
        (!ranks.empty() && of.get<std::int64_t>() <= ranks.back()))
      keys.fail("ranks", "whole numbers from 2 on, ascending", of);
    ranks.push_back(of.get<std::int64_t>());
  }
  if (ranks.size() < fewest_ranks_of_law)
    keys.fail("ranks", fmt::format("{} numbers or more", fewest_ranks_of_law), keys.at("ranks"));
  return ranks;
}

/// The nodes of each number of ranks; 0 in files from before the key. All within a node, or all over nodes.
std::vector<std::int64_t> nodes_from(const JsonKeys& keys, const std::vector<std::int64_t>& ranks) {
  if (!keys.has("nodes")) return std::vector<std::int64_t>(ranks.size(), 0);
  const auto fail = [&] {
    keys.fail("nodes", "a number for each of ranks: 1 for all, or 2 and more for all", keys.at("nodes"));
  };
  std::vector<std::int64_t> nodes;
  for (const JsonValue of : keys.list("nodes")) {
    if (!of.is_number_integer() || of.get<std::int64_t>() < 1) fail();
    nodes.push_back(of.get<std::int64_t>());
    if (tier_of(nodes.back()) != tier_of(nodes.front())) fail();
  }
  if (nodes.size() != ranks.size()) fail();
  return nodes;
}

RankRegime regime_from(const JsonKeys& keys) {
  RankRegime regime{.from_bytes = keys.above_zero("from_bytes"),
                    .to_bytes = keys.above_zero("to_bytes"),
                    .rows = static_cast<std::size_t>(keys.whole("rows", 0)),
                    .step = coefficient_from(keys.object("alpha_us"), "alpha_us"),
                    .bandwidth = coefficient_from(keys.object("gb_per_s"), "gb_per_s"),
                    .call = coefficient_from(keys.object("gamma_us"), "gamma_us")};
  static_cast<void>(keys.object("gb_per_s").above_zero("value"));  // 0 would divide
  if (regime.to_bytes < regime.from_bytes) keys.fail("to_bytes", "from_bytes or more", keys.at("to_bytes"));
  return regime;
}

/// The regimes in order of size, none inside another.
std::vector<RankRegime> regimes_from(const JsonKeys& keys) {
  std::vector<RankRegime> regimes;
  for (const JsonKeys& of : keys.objects("regimes")) {
    regimes.push_back(regime_from(of));
    if (regimes.size() > 1 && regimes.back().from_bytes <= regimes.end()[-2].to_bytes)
      of.fail("from_bytes", "more than the to_bytes before", of.at("from_bytes"));
  }
  if (regimes.empty()) keys.fail("regimes", "one regime or more", keys.at("regimes"));
  return regimes;
}

RankLaw law_from(const JsonKeys& keys) {
  RankLaw law;
  law.system = keys.word("system"), law.operation = keys.word("operation");
  law.algorithm = keys.word("algorithm"), law.dtype = current_dtype(keys.word("dtype"));
  law.shape = shape_from(keys, law.operation);
  law.ranks = ranks_from(keys);
  law.nodes = nodes_from(keys, law.ranks);
  law.regimes = regimes_from(keys);
  const JsonKeys held_out = keys.object("held_out_ranks");
  law.held_out = accuracy_from(held_out);
  for (const JsonKeys& of : held_out.objects("by_ranks"))
    law.held_out_of[of.whole("ranks", 2)] = accuracy_from(of.object("error"));
  return law;
}

}  // namespace

Json json_of(const std::vector<RankLaw>& laws) {
  Json json = Json::array();
  for (const RankLaw& law : laws) json.push_back(json_of(law));
  return json;
}

std::vector<RankLaw> rank_laws_from(const JsonKeys& keys) {
  std::vector<RankLaw> laws;
  if (!keys.has(laws_key)) return laws;
  for (const JsonKeys& law : keys.objects(laws_key)) laws.push_back(law_from(law));
  return laws;
}

}  // namespace assay::model::fit
