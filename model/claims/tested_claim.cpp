// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/tested_claim.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/claims/answers.hpp"
#include "model/claims/at_pointer.hpp"
#include "model/claims/stored_value.hpp"

namespace assay::model::claims {
namespace {

// How far a printed figure may be off to agree, and not to disagree.
constexpr double rounding = 0.005, near = 0.15;

/// Two digits, or whole percent.
std::string percent_text(double share) {
  return share < 1 ? fmt::format("{:.2g}", 100 * share) : fmt::format("{:.0f}", 100 * share);
}

/// A number or a word, and what it is.
struct Found {
  std::optional<double> value = {};
  std::string word = {};
  std::string evidence = {};
};

/// A list or an object counts as its length.
Found found_in(const nlohmann::json& answer, const Quantity& quantity) {
  const nlohmann::json* const at = at_pointer(answer, quantity.value);
  if (at != nullptr && at->is_number()) return {.value = at->get<double>()};
  if (at != nullptr && at->is_boolean()) return {.value = at->get<bool>() ? 1 : 0};
  if (at != nullptr && at->is_structured()) return {.value = static_cast<double>(at->size())};
  if (at != nullptr && at->is_string()) return {.word = at->get<std::string>()};
  core::usage_error(fmt::format("assay {}: nothing at {}", quantity.command, quantity.value));
}

std::string host_of(const results::RunPoints& run) {
  return run.contexts().empty() ? "" : run.contexts().front().host;
}

/// The runs to look in. A claim that divides one point by another gets the first run that has both, else the
/// runs of one host that has both.
std::vector<const results::RunPoints*> runs_for(Runs runs, const Claim& claim) {
  const auto has = [](const results::RunPoints* run, const Quantity& quantity) {
    return stored_value({&run, 1}, quantity).has_value();
  };
  std::vector<const results::RunPoints*> all(runs.begin(), runs.end());
  if (!claim.against || claim.against->given) return all;
  for (const results::RunPoints* run : runs)
    if (has(run, claim.quantity) && has(run, *claim.against)) return {run};
  for (const results::RunPoints* run : runs) {
    if (!has(run, claim.quantity)) continue;
    std::vector<const results::RunPoints*> of_host = all;
    std::erase_if(of_host, [&](const results::RunPoints* other) { return host_of(*other) != host_of(*run); });
    if (stored_value(of_host, *claim.against)) return of_host;
  }
  return {};
}

Found found_in(Runs runs, const Claim& claim, const Quantity& quantity) {
  const std::optional<StoredValue> stored = stored_value(runs, quantity);
  if (!stored) core::usage_error(fmt::format("no point {} has {}", quantity.point, quantity.metric));
  if (claim.on_this_host()) return {.value = stored->value, .evidence = claim.evidence};
  return {.value = stored->value, .evidence = fmt::format("{}, {}", stored->origin, stored->on)};
}

class Finder {
 public:
  Finder(const Sources& sources, const Answers& answers) : sources_(sources), answers_(answers) {}

  Found find(const Claim& claim, const Quantity& quantity) {
    if (quantity.given) return {.value = quantity.given};
    if (claim.from_store()) return of_site(claim, quantity);
    if (!claim.on_this_host()) return found_in(answers_.of(quantity.command), quantity);
    if (quantity.value == elapsed_s) return {.value = seconds_of(quantity.command)};
    const results::RunPoints* const run = &measured(quantity.command).run;
    return found_in({&run, 1}, claim, quantity);
  }

 private:
  struct Measured {
    explicit Measured(const std::filesystem::path& file)
        : store(file, results::StoreMode::existing), run(store) {}
    results::Store store;
    results::RunPoints run;
  };

  Found of_site(const Claim& claim, const Quantity& quantity) const {
    if (sources_.runs.empty()) core::usage_error("it needs " + claim.needs);
    try {
      return found_in(runs_for(sources_.runs, claim), claim, quantity);
    } catch (const core::Error&) {
      core::usage_error(fmt::format("it needs {}: the store has no such point", claim.needs));
    }
  }

  double seconds_of(const std::string& command) const {
    const auto begin = std::chrono::steady_clock::now();
    sources_.ask(command);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  const Measured& measured(const std::string& command) {
    std::unique_ptr<Measured>& own = measured_[command];
    if (!own) own = std::make_unique<Measured>(sources_.measure(command));
    return *own;
  }

  const Sources& sources_;
  const Answers& answers_;
  std::map<std::string, std::unique_ptr<Measured>> measured_;
};

TestedClaim tested(const Claim& claim, Finder& finder) {
  TestedClaim one{.claim = &claim, .value = {}, .word = {}, .evidence = {}, .reason = {}};
  try {
    Found found = finder.find(claim, claim.quantity);
    if (claim.against && found.value) {
      const Found divisor = finder.find(claim, *claim.against);
      if (!divisor.value || *divisor.value == 0) core::usage_error("it is divided by 0 or by a word");
      *found.value /= *divisor.value;
    }
    one.value = found.value;
    one.word = std::move(found.word);
    one.evidence = found.evidence.empty() ? claim.evidence : found.evidence;
  } catch (const std::exception& error) {
    one.reason = error.what();
  }
  return one;
}

/// Commands whose answers rows need; what measures is none of them.
std::vector<std::string> commands_of(std::span<const Claim> claims) {
  std::vector<std::string> commands;
  for (const Claim& claim : claims) {
    if (claim.from_store() || claim.on_this_host()) continue;
    if (!claim.quantity.given) commands.push_back(claim.quantity.command);
    if (claim.against && !claim.against->given) commands.push_back(claim.against->command);
  }
  return commands;
}

}  // namespace

bool TestedClaim::holds() const {
  if (!claim->expected.word.empty()) return word == claim->expected.word;
  if (!claim->expected.part.empty()) return word.find(claim->expected.part) != std::string::npos;
  return value && claim->expected.holds(*value);
}

std::optional<double> TestedClaim::off() const {
  if (!claim->printed || !value) return std::nullopt;
  return std::abs(*value - *claim->printed) / std::abs(*claim->printed);
}

bool TestedClaim::agrees() const {
  if (!found() || !holds()) return false;
  const std::optional<double> distance = off();
  return distance && *distance <= rounding ? true : !claim->contradicts && distance.value_or(0) <= near;
}

std::string TestedClaim::verdict() const {
  if (failed()) return "failed: " + reason;
  if (!found()) return "cannot be tested here, because " + reason;
  if (!holds()) return "disagrees: not as expected";
  const std::optional<double> distance = off();
  if (!distance || *distance <= rounding) return agrees() ? "agrees" : "disagrees";
  return fmt::format("{} {} %", agrees() ? "within" : "disagrees, by", percent_text(*distance));
}

std::vector<TestedClaim> test_claims(std::span<const Claim> claims, const Sources& sources) {
  const Answers answers(commands_of(claims), sources.ask, sources.threads);
  Finder finder(sources, answers);
  std::vector<TestedClaim> all;
  for (const Claim& claim : claims) all.push_back(tested(claim, finder));
  return all;
}

std::vector<TestedClaim> claims_answered_by(const results::RunPoints& run, std::span<const Claim> claims) {
  const Sources sources{.ask = {}, .measure = {}, .runs = {&run}};
  const Answers none({}, {}, 1);
  Finder finder(sources, none);
  std::vector<TestedClaim> answered;
  for (const Claim& claim : claims)
    if (claim.from_store())
      if (TestedClaim one = tested(claim, finder); one.found()) answered.push_back(std::move(one));
  return answered;
}

}  // namespace assay::model::claims
