// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// DCGM's diagnosis, gpu-burn and STREAM: whether a node is sound, and its memory.
#include <fmt/format.h>

#include <array>
#include <map>

#include "harness/core/error.hpp"
#include "harness/front/cli/like/foreign_flags.hpp"
#include "harness/front/cli/like/known_tools.hpp"

namespace assay::cli {
namespace {

/// Commands of assay for each level of dcgmi diag -r.
const std::map<std::string, std::vector<std::string>, std::less<>> diagnosis_levels{
    {"1", {"assay", "check"}},
    {"2", {"assay", "burn-in", "--level", "quick"}},
    {"3", {"assay", "burn-in", "--level", "medium"}},
    {"4", {"assay", "burn-in", "--level", "long"}}};

constexpr long gpu_burn_default_s = 10;

}  // namespace

LikeAnswer like_dcgm(const ForeignCall& call, std::string_view) {
  constexpr std::array flags{ForeignFlag{"-r", "--run"}, ForeignFlag{"-j", "--json", false},
                             ForeignFlag{"-v", "--verbose", false},
                             ForeignFlag{"-i", "--entity-id", true, "CUDA_VISIBLE_DEVICES selects GPUs"}};
  const ForeignCommand command = read_foreign(call.words, flags, Positional::some, Joined::never);
  if (command.rest.empty() || command.rest.front() != "diag")
    core::usage_error("like: dcgmi: expected dcgmi diag -r LEVEL");
  const std::string level = command.value("-r").value_or("1");
  const auto known = diagnosis_levels.find(level);
  if (known == diagnosis_levels.end())
    core::usage_error(fmt::format("like: dcgmi diag -r {}: expected a level from 1 to 4", level));
  LikeAnswer answer{.words = known->second, .notes = command.notes};
  if (level == "1") {
    if (command.has("-j")) answer.words.insert(answer.words.end(), {"--format", "json"});
    if (command.has("-v")) answer.words.emplace_back("--all");
    return answer;
  }
  if (command.has("-j")) answer.notes.push_back("-j: --verdicts FILE writes the verdicts as JSON");
  if (command.has("-v")) answer.notes.push_back("-v: the report of assay report holds the details");
  answer.notes.push_back("health is checked before, while and after it measures");
  return answer;
}

LikeAnswer like_gpu_burn(const ForeignCall& call, std::string_view) {
  constexpr std::array flags{ForeignFlag{"-d", "", false},
                             ForeignFlag{"-tc", "", false, "assay uses tensor cores"},
                             ForeignFlag{"-m", "", true, "assay's plan states its sizes"},
                             ForeignFlag{"-i", "", true, "CUDA_VISIBLE_DEVICES selects GPUs"},
                             ForeignFlag{"-stts", "", true, "assay ends a point that is silent: --silence"}};
  const ForeignCommand command = read_foreign(call.words, flags, Positional::some, Joined::never);
  const long seconds =
      command.rest.empty() ? gpu_burn_default_s : positive_number("gpu_burn", command.rest.front());
  LikeAnswer answer{.words = {"assay", "burn-in", "--modules", "gemm", "--for", fmt::format("{}s", seconds)},
                    .notes = command.notes};
  if (command.has("-d")) answer.words.insert(answer.words.end(), {"--axis", "dtype=fp64"});
  return answer;
}

LikeAnswer like_stream(const ForeignCall&, std::string_view) {
  LikeAnswer answer{.words = {"assay", "run", "--plan", "full"}};
  for (const char* kernel : {"copy", "scale", "add", "triad"})
    answer.words.insert(answer.words.end(), {"--filter", fmt::format("memory.host.{}", kernel)});
  answer.notes.push_back(
      "temporal stores read each line before they write it: STREAM does not count those bytes");
  return answer;
}

}  // namespace assay::cli
