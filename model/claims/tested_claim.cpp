// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/tested_claim.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"

namespace assay::model::claims {
namespace {

// How far a printed figure may be off to agree, and not to disagree.
constexpr double rounding = 0.005, near = 0.15;

class Answers {
 public:
  explicit Answers(const AskAssay& ask) : ask_(ask) {}

  double number(const std::string& command, const std::string& pointer) {
    const auto found = answers_.find(command);
    const nlohmann::json& answer =
        found != answers_.end() ? found->second : answers_.emplace(command, ask_(command)).first->second;
    const nlohmann::json::json_pointer at(pointer);
    if (!answer.contains(at) || !answer.at(at).is_number())
      core::usage_error(fmt::format("assay {}: no number at {}", command, pointer));
    return answer.at(at).get<double>();
  }

 private:
  const AskAssay& ask_;
  std::map<std::string, nlohmann::json> answers_;
};

double value_of(const Quantity& quantity, Answers& answers) {
  const double value = answers.number(quantity.command, quantity.value);
  return quantity.against.empty() ? value : value / answers.number(quantity.against, quantity.against_value);
}

}  // namespace

std::string TestedClaim::verdict() const {
  if (!value) return "not tested: " + reason;
  if (!holds()) return "not as expected";
  if (!claim->printed) return "agrees";
  const double off = std::abs(*value - *claim->printed) / std::abs(*claim->printed);
  if (off <= rounding) return "agrees";
  return fmt::format("{} {:.2g} %", off <= near ? "within" : "disagrees, by", 100 * off);
}

std::vector<TestedClaim> test_claims(std::span<const Claim> claims, const AskAssay& ask) {
  Answers answers(ask);
  std::vector<TestedClaim> tested;
  for (const Claim& claim : claims) {
    TestedClaim one{.claim = &claim, .value = {}, .reason = {}};
    try {
      one.value = value_of(claim.quantity, answers);
    } catch (const core::Error& error) {
      one.reason = error.what();
    }
    tested.push_back(std::move(one));
  }
  return tested;
}

}  // namespace assay::model::claims
