// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "harness/core/seconds_since.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/units.hpp"

namespace assay::campaign {
namespace {

constexpr double between_lines_s = 10;

}  // namespace

std::string progress_text(const std::string& stage_run, const NodeAnswers& answers, double elapsed_s,
                          double expected_s) {
  const auto& states = answers.states();
  std::string text = fmt::format("{}: {} of {} nodes ended", stage_run, answers.ended(), states.size());
  const NodeState* slowest = nullptr;
  std::string name;
  for (const auto& [node, state] : states) {
    if (state.ended() || !state.hello) continue;
    if (slowest != nullptr && slowest->heartbeat.points <= state.heartbeat.points) continue;
    slowest = &state;
    name = node;
  }
  const auto silent = std::ranges::count_if(states, [](const auto& one) { return !one.second.hello; });
  if (silent > 0) text += fmt::format(", {} without an answer", silent);
  if (slowest != nullptr) text += fmt::format("; slowest {}, {} points", name, slowest->heartbeat.points);
  text += fmt::format("; {} so far", core::format_seconds(elapsed_s));
  if (expected_s > elapsed_s)
    text += fmt::format(", at most {} left", core::format_seconds(expected_s - elapsed_s));
  return text;
}

Progress::Progress(std::string stage_run, double expected_s, std::ostream& out)
    : stage_run_(std::move(stage_run)),
      expected_s_(expected_s),
      out_(out),
      start_(std::chrono::steady_clock::now()),
      shown_(start_) {}

void Progress::show(const NodeAnswers& answers) {
  if (core::seconds_since(shown_) < between_lines_s) return;
  shown_ = std::chrono::steady_clock::now();
  const std::string text = progress_text(stage_run_, answers, core::seconds_since(start_), expected_s_);
  if (text == last_) return;
  last_ = text;
  out_ << text
       << core::LogFields{{"stage", stage_run_},
                          {"nodes_ended", static_cast<std::int64_t>(answers.ended())},
                          {"nodes", std::int64_t{std::ssize(answers.states())}},
                          {"elapsed_s", core::seconds_since(start_)}}
       << "\n";
  out_.flush();
}

}  // namespace assay::campaign
