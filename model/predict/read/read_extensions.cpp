// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/read/read_extensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "model/json/json_fields.hpp"
#include "model/predict/read/known_keys.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/read/read_blocks.hpp"

namespace assay::model {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> operation_keys = {"p2p", "reduce_scatter", "all_gather",
                                                            "all_reduce", "all_to_all"};

void only_these(const JsonKeys& keys, Names own, Names extensions) {
  std::vector<std::string_view> all(own.begin(), own.end());
  all.insert(all.end(), extensions.begin(), extensions.end());
  keys.only(all);
}

std::optional<double> share_if_any(const JsonKeys& keys, const char* key) {
  if (!keys.has(key)) return std::nullopt;
  const double share = keys.number(key);
  if (share > 1) keys.fail(key, "a number from 0 to 1", keys.at(key));
  return share;
}

/// GPT-3's dropout is Calculon's; models whose files need keys that it does not have train without.
bool usual_dropout(const JsonKeys& keys) {
  const std::vector<std::string_view>& calculon = keys_of_calculon<Application>();
  return std::ranges::all_of(keys.names(), [&](const std::string& key) {
    return key == "name" || std::ranges::find(calculon, key) != calculon.end();
  });
}

/// `sharding` says it too.
void read_sharding(const JsonKeys& keys, Execution& e) {
  const bool says = e.sharding == Sharding::parameters;
  if (e.sharding != Sharding::none && keys.has("parameter_sharding") && e.parameter_sharding != says)
    keys.fail("parameter_sharding", fmt::format("{} where sharding is '{}'", says, core::word_of(e.sharding)),
              keys.at("parameter_sharding"));
  e.parameter_sharding = e.parameter_sharding || says;
}

void require_documents(const JsonKeys& keys, const Application& a) {
  std::int64_t left = a.seq_size;
  for (const std::int64_t length : a.packed_lengths) {
    if (length > left) keys.fail("packed_lengths", "lengths of at most seq_size together");
    left -= length;
  }
}

}  // namespace

void read_extensions(const JsonKeys& keys, Application& a) {
  std::vector<std::string_view> known = keys_of_assay<Application>();
  known.insert(known.begin(), "name");
  keys.only(known);
  a.causal = true;
  a.dropout = usual_dropout(keys);
  read_fields(keys, Keys::optional, a);
  require_documents(keys, a);
  if (a.tied_embedding && a.vocabulary == 0) keys.fail("tied_embedding", "a vocabulary with it");
  if (a.mtp_blocks > 0 && a.vocabulary == 0) keys.fail("mtp_blocks", "a vocabulary with it");
  read_blocks(keys, a);
}

void read_extensions(const JsonKeys& keys, Execution& e) {
  read_fields(keys, Keys::optional, e);
  read_sharding(keys, e);
  if (keys.has("expert_par_net")) return;
  const std::int64_t needed = e.expert_group();
  if (e.expert_tensor_par > 0 && needed <= e.tensor_par)
    e.expert_par_net = e.tensor_par_net;
  else if (e.context_par > 1 && needed <= e.tensor_par * e.context_par)
    e.expert_par_net = e.context_par_net;
}

void only_known_keys(const JsonKeys& system) {
  system.only(system_keys);
  for (const char* memory : {"mem1", "mem2"}) system.object(memory).only(memory_keys);
  for (const char* engine : {"matrix", "vector"}) {
    const JsonKeys types = system.object(engine);
    types.only(datatype_names);
    for (const std::string& type : types.names()) types.object(type).only(engine_keys);
  }
}

void read_extensions(const JsonKeys& keys, Names own, Network& network) {
  only_these(keys, own, network_extension_keys);
  if (keys.has("tier"))
    network.tier = keys.one_of("tier", fit::tier_names) == 0 ? fit::Tier::within : fit::Tier::over;
  network.gradient_overlap = share_if_any(keys, "gradient_overlap");
  network.gather_overlap = share_if_any(keys, "gather_overlap");
  const JsonKeys ops = keys.object("ops");
  ops.only(operation_keys);
  if (!ops.has("all_to_all")) return;
  const JsonValue pair = ops.at("all_to_all");
  if (pair.is_null()) {  // not measured
    network.all_to_all.scalar = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  if (!pair.is_array() || pair.size() != 2 || !is_finite_number(pair[0]) || !is_finite_number(pair[1]) ||
      pair[0].get<double>() <= 0)
    ops.fail("all_to_all", "[scalar above 0, offset]", pair);
  network.all_to_all = {.scalar = pair[0].get<double>(), .offset = pair[1].get<double>()};
}

}  // namespace assay::model
