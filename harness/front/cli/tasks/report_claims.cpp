// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/report_claims.hpp"

#include <algorithm>
#include <iterator>
#include <thread>

#include "harness/front/cli/output/claims_table.hpp"
#include "harness/front/cli/tasks/claim_sources.hpp"
#include "model/claims/claims_file.hpp"
#include "model/claims/tested_claim.hpp"

namespace assay::cli {
namespace {

using model::claims::Claim;
using model::claims::TestedClaim;

/// The claims among `ids` that commands answer without hardware.
std::vector<Claim> without_hardware(const std::vector<std::string>& ids) {
  std::vector<Claim> claims = model::claims::shipped_claims(
      ids == std::vector<std::string>{"all"} ? std::vector<std::string>{} : ids);
  std::erase_if(claims, [](const Claim& claim) { return claim.from_store() || claim.on_this_host(); });
  return claims;
}

std::vector<TestedClaim> computed(const std::vector<Claim>& claims) {
  ClaimCommands commands(examples_folder(""));
  return model::claims::test_claims(
      claims, {.ask = [&](const std::string& command) { return commands.answer(command); },
               .measure = {},
               .runs = {},
               .threads = std::thread::hardware_concurrency()});
}

}  // namespace

results::Table claims_of_run(const results::RunPoints& run, const std::vector<std::string>& ids) {
  const std::vector<Claim> all = model::claims::shipped_claims();
  const std::vector<Claim> to_run = ids.empty() ? std::vector<Claim>{} : without_hardware(ids);
  std::vector<TestedClaim> tested = model::claims::claims_answered_by(run, all);
  if (!to_run.empty()) std::ranges::move(computed(to_run), std::back_inserter(tested));
  return claims_table(tested, false);
}

}  // namespace assay::cli
