// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The model against its second statement on random files: the 96 numbers where a step fits, the reason where
// it does not, and the key where a rule is broken. ASSAY_MODEL_FUZZ_TRIPLES, _SEED and _FIRST choose how
// many, of which seed, and from which index.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/reference/answer.hpp"
#include "model/reference/tests/random_triples.hpp"

namespace assay::model::reference {
namespace {

using nlohmann::json;

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

/// The output of --json, or the line that refuses the files.
json said_by_the_model(const Triple& of) {
  try {
    const Configuration read =
        read_configuration(of.application, of.execution, of.system, {"application", "execution", "system"});
    return to_json(read, predict(read));
  } catch (const core::Error& error) {
    return {{"status", "rejected"}, {"message", error.what()}};
  }
}

/// Empty where the numbers agree. Times may differ by rounding of the step's, what is left of a difference by
/// that of what it is the difference of.
std::string difference(const std::string& name, const json& stats, const json& listed, const Sheet& sheet) {
  const Real wanted = sheet[name];
  const bool said_unbounded = std::find(listed.begin(), listed.end(), json(name)) != listed.end();
  if (std::isinf(wanted) || said_unbounded)
    return std::isinf(wanted) && said_unbounded && stats.at(name).is_null() ? ""
                                                                            : "unbounded in one of the two";
  const Real got = stats.at(name).get<double>();
  const Real of_step =
      name.ends_with("_time") || name.ends_with("_exposed") ? 1e-12L * sheet["total_time"] : 0;
  const Real allowed = (1e-9L + sheet.doubt(name)) * std::fabs(wanted) + of_step;
  if (std::fabs(got - wanted) <= allowed) return "";
  return stats.at(name).dump() + ", expected " + json(static_cast<double>(wanted)).dump();
}

bool is_null_in_inference(const std::string& name, const Triple& of) {
  return name == "act_checkpoint_size_with_offload" && !of.execution["training"].get<bool>();
}

std::string numbers_differ(const Triple& of, const json& said, const Sheet& sheet) {
  std::string found;
  const json& stats = said.at("stats");
  const json listed = said.value("unbounded", json::array());
  for (const auto& [name, value] : sheet.cells()) {
    if (name.starts_with('.')) continue;
    if (!stats.contains(name)) return name + " is missing";
    if (is_null_in_inference(name, of) && stats[name].is_null()) continue;
    const std::string differs = difference(name, stats, listed, sheet);
    if (!differs.empty()) found += "\n  " + name + ": " + differs;
  }
  return stats.size() == 96 ? found : found + "\n  not 96 numbers";
}

/// A rule that is broken is named by its key.
std::string refusal_differs(const Answer& expected, const std::string& message) {
  const bool named = std::ranges::any_of(expected.refused, [&](const std::string& key) {
    return message.starts_with("execution: " + key + ":");
  });
  return named ? "" : message + ", expected it to name " + json(expected.refused).dump();
}

/// "" where the two say the same.
std::string disagreement(const Triple& of, const json& said, const Answer& expected) {
  const std::string status = said.at("status");
  const std::string wanted = !expected.refused.empty() ? "rejected"
                             : expected.reason.empty() ? "ok"
                                                       : "infeasible";
  if (status != wanted) return said.dump() + ", expected " + wanted + " " + expected.reason;
  if (status == "rejected") return refusal_differs(expected, said.at("message"));
  if (status == "ok") return numbers_differ(of, said, expected.sheet);
  const std::string reason = said.at("reason");
  const bool same =
      reason == expected.reason || std::ranges::find(expected.nearby, reason) != expected.nearby.end();
  return same ? "" : reason + ", expected " + expected.reason;
}

/// Settings that the description of a run should show to have been met.
std::vector<std::string> met(const Triple& of, const json& said) {
  std::vector<std::string> names = {said.at("status")};
  if (said.at("status") != "ok") return names;
  const json& e = of.execution;
  if (e["training"] == false) names.emplace_back("inference");
  names.push_back(of.system["processing_mode"]);
  for (const char* key :
       {"tensor_par_comm_type", "tensor_par_overlap", "activation_recompute", "datatype", "attention_type"})
    names.push_back(std::string(key) + " " + e[key].get<std::string>());
  for (const auto& [key, value] : e.items())
    if (value == true) names.push_back(key);
  if (of.application["num_blocks"].get<int>() % e["pipeline_par"].get<int>() != 0)
    names.emplace_back("uneven blocks");
  if (said.contains("unbounded")) names.emplace_back("unbounded");
  return names;
}

std::string reproducer(std::uint64_t seed, std::uint64_t index, const Triple& of) {
  const json files = {{"application", of.application}, {"execution", of.execution}, {"system", of.system}};
  return "\nagain: ASSAY_MODEL_FUZZ_SEED=" + std::to_string(seed) +
         " ASSAY_MODEL_FUZZ_FIRST=" + std::to_string(index) +
         " ASSAY_MODEL_FUZZ_TRIPLES=1 model_reference_test" +
         "\nor, as a file of one line, assay predict --batch:\n" + files.dump();
}

TEST(ModelAndItsSecondStatement, SayTheSameOfRandomFiles) {
  const std::uint64_t seed = setting("ASSAY_MODEL_FUZZ_SEED", 20261123);
  const std::uint64_t first = setting("ASSAY_MODEL_FUZZ_FIRST", 0);
  const std::uint64_t triples = setting("ASSAY_MODEL_FUZZ_TRIPLES", 10'000);
  std::map<std::string, int> counts;
  int different = 0;
  for (std::uint64_t index = first; index < first + triples && different < 5; ++index) {
    const Triple of = random_triple(seed, index);
    const json said = said_by_the_model(of);
    for (const std::string& name : met(of, said)) ++counts[name];
    const std::string differs = disagreement(of, said, answer(of.application, of.execution, of.system));
    if (differs.empty()) continue;
    ++different;
    ADD_FAILURE() << "triple " << index << " of seed " << seed << ": " << differs
                  << reproducer(seed, index, of);
  }
  std::cout << triples << " triples of seed " << seed << " from " << first << ": " << json(counts).dump()
            << "\n";
  if (triples < 1000 || different > 0) return;
  for (const char* status : {"ok", "infeasible", "rejected", "inference", "unbounded", "uneven blocks"})
    EXPECT_GT(counts[status], 0) << status;
}

}  // namespace
}  // namespace assay::model::reference
