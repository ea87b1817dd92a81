// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/doubt.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace assay::results::peers {
namespace {

struct Named {
  std::string_view word, sentence;
};

/// In the order of DoubtKind.
constexpr std::array kinds{
    Named{"cut", "incomplete"},
    Named{"prefixed", "line prefixes removed"},
    Named{"two_runs", "several runs in one file"},
    Named{"wrong_results", "the tool found wrong data"},
    Named{"unit_derived", "unit not written, decided from other numbers"},
    Named{"host_from_path", "host not in the file"},
    Named{"host_unknown", "neither file nor path names a host"},
    Named{"time_zone_unknown", "local time without zone"},
    Named{"no_time", "no time of day in the file"},
    Named{"ranks_from_path", "the number of ranks is the path's"},
    Named{"ranks_derived", "the number of ranks follows from busbw over algbw"},
    Named{"ranks_unknown", "the number of ranks is not in the file"},
    Named{"bytes_unknown", "assay's bytes cannot be computed"},
    Named{"operation_from_path", "the operation is the path's"},
    Named{"operation_from_command", "the operation is that of a command shown before the table"},
    Named{"average_over_ranks", "the slowest rank is not known"},
    Named{"invalid_json", "read by a lenient reader"},
    Named{"unparsed_lines", "lines left out"},
    Named{"cpu_time", "launch time instead of the operation's"},
    Named{"errors_reported", "the tool reported errors"},
    Named{"waived", "the tool left tests out"},
    Named{"same_result_twice", "one measurement printed by both ends"},
    Named{"same_node_twice", "one node is there twice"},
    Named{"gpu_assumed", "device number not written"},
    Named{"host_differs", "the path names another host than the file, which counts"},
    Named{"other_meaning", "not what the heading suggests"},
    Named{"debug_build", "the library that timed it is a debug build"},
    Named{"clock_scaling", "the processor's clock was not fixed"},
    Named{"ranks_missing", "the slowest of all ranks is not known"},
    Named{"above_physics", "more than the hardware that is named can do"},
    Named{"same_log", "another host has the same numbers"},
    Named{"before_repair", "measured before the host's last repair"},
    Named{"samples_differ", "the printed average is not that of the samples"},
    Named{"no_warmup", "first operations, which set up connections, count"},
    Named{"few_iterations", "the mean is of a few operations"},
};
static_assert(kinds.size() == static_cast<std::size_t>(DoubtKind::few_iterations) + 1);

const Named& named(DoubtKind kind) { return kinds.at(static_cast<std::size_t>(kind)); }

}  // namespace

std::string_view word_of(DoubtKind kind) { return named(kind).word; }

std::string text_of(const Doubt& doubt) {
  std::string text(named(doubt.kind).word);
  text.append(": ").append(named(doubt.kind).sentence);
  if (!doubt.detail.empty()) text.append(": ").append(doubt.detail);
  return text;
}

std::string unbelievable_text(const Doubts& doubts) {
  for (const DoubtKind kind :
       {DoubtKind::above_physics, DoubtKind::same_log, DoubtKind::before_repair, DoubtKind::samples_differ}) {
    const auto found = std::ranges::find(doubts, kind, &Doubt::kind);
    if (found != doubts.end()) return text_of(*found);
  }
  return "";
}

void add_doubt(Doubts& doubts, Doubt doubt) {
  if (std::ranges::find(doubts, doubt) == doubts.end()) doubts.push_back(std::move(doubt));
}

}  // namespace assay::results::peers
