// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/roster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "harness/core/version.hpp"

namespace assay::campaign {
namespace {

using results::Action;
using results::Verdict;
using results::VerdictRow;

/// A message that is late makes a node seem behind, never ahead.
constexpr double behind_limit_s = 60, ahead_limit_s = 1;

VerdictRow row_of(const std::string& node, const std::string& metric, Verdict verdict,
                  const std::string& because, const std::string& meaning, Action action) {
  return {.unit = node,
          .kind = "host",
          .metric = metric,
          .verdict = verdict,
          .n = 1,
          .because = because,
          .meaning = meaning,
          .action = action};
}

/// A step that was not carried out whole. What a check or a burn-in found has rows of its own.
std::optional<VerdictRow> step_row(const std::string& node, const std::string& stage_run,
                                   const StepEnd& step) {
  const bool judges = step.step != "run";
  if (step.exit_code == 0 || (judges && (step.exit_code == 1 || step.exit_code == 3))) return std::nullopt;
  const std::string metric = fmt::format("campaign.{}", stage_run);
  if (step.exit_code == 1)
    return row_of(node, metric, Verdict::fail, fmt::format("a point failed or was wrong: {}", step.last_line),
                  "what cannot be measured here cannot be relied on", Action::drain);
  const std::string how = step.exit_code > 128 ? fmt::format("ended by signal {}", step.exit_code - 128)
                                               : fmt::format("ended with exit code {}", step.exit_code);
  return row_of(node, metric, Verdict::not_run,
                fmt::format("assay {} {}: {}", step.step, how, step.last_line),
                "what was not measured is not accepted", Action::retest);
}

using Counts = std::map<std::string, std::vector<std::string>>;  // nodes by version

/// More than half of the nodes; else nothing.
std::optional<std::string> majority_of(const Counts& counts, std::size_t nodes) {
  for (const auto& [version, of] : counts)
    if (2 * of.size() > nodes) return version;
  return std::nullopt;
}

constexpr const char* two_voices = "two processes answered in its name: none of them is believed";

void add_component_rows(const std::string& component, const Counts& counts, std::size_t nodes,
                        std::vector<VerdictRow>& rows) {
  if (counts.size() < 2) return;
  const std::string metric = fmt::format("campaign.same {}", component);
  const std::string meaning = "nodes with different software or hardware are not equals";
  const auto majority = majority_of(counts, nodes);
  if (!majority) {
    std::string text;
    for (const auto& [version, of] : counts)
      text += fmt::format("{}{} on {} nodes", text.empty() ? "" : ", ", version, of.size());
    rows.push_back(
        row_of("", metric, Verdict::inconclusive, "no majority: " + text, meaning, Action::configure));
    return;
  }
  for (const auto& [version, of] : counts)
    if (version != *majority)
      for (const std::string& node : of)
        rows.push_back(row_of(node, metric, Verdict::fail,
                              fmt::format("{}, and {} on {} of {} nodes", version, *majority,
                                          counts.at(*majority).size(), nodes),
                              meaning, Action::configure));
}

/// Nodes by what they have, for each component. A node that lacks what others have has "none" of it.
std::map<std::string, Counts> components_of(const std::map<std::string, NodeRecord>& nodes) {
  std::map<std::string, Counts> components;
  for (const auto& [node, record] : nodes)
    if (record.hello)
      for (const auto& [component, version] : record.hello->components) components[component];
  for (const auto& [node, record] : nodes) {
    if (!record.hello) continue;
    for (auto& [component, counts] : components) {
      const auto found = record.hello->components.find(component);
      counts[found == record.hello->components.end() ? "none" : found->second].push_back(node);
    }
  }
  for (const auto& [node, record] : nodes) {
    if (!record.hello) continue;
    components["GPUs"][std::to_string(record.hello->gpus)].push_back(node);
    components["active RDMA ports"][std::to_string(record.hello->rails)].push_back(node);
  }
  return components;
}

void add_clock_row(const std::string& node, double ahead_s, std::vector<VerdictRow>& rows) {
  if (ahead_s <= ahead_limit_s && ahead_s >= -behind_limit_s) return;
  rows.push_back(row_of(
      node, "campaign.clock", Verdict::fail,
      fmt::format("{:.0f} s {} the coordinator's", std::abs(ahead_s), ahead_s > 0 ? "ahead of" : "behind"),
      "times of its records cannot be compared with the others'", Action::configure));
}

void add_node_rows(const std::string& node, const NodeRecord& record, std::vector<VerdictRow>& rows) {
  if (!record.left_out.empty())
    rows.push_back(row_of(node, "campaign.node", record.left_out_as, record.left_out,
                          "what was not measured is not accepted", record.left_out_action));
  add_clock_row(node, record.clock_ahead_s, rows);
  bool whole = record.left_out.empty();
  for (const auto& [stage_run, outcome] : record.outcomes)
    for (const StepEnd& step : outcome.steps)
      if (auto row = step_row(node, stage_run, step)) {
        rows.push_back(std::move(*row));
        whole = false;
      }
  if (whole)
    rows.push_back(row_of(node, "campaign.node", Verdict::pass,
                          fmt::format("answered and carried out {} stages", record.outcomes.size()), "",
                          Action::none));
}

}  // namespace

Roster::Roster(const std::vector<std::string>& nodes) {
  for (const std::string& node : nodes) nodes_[node];
}

void Roster::leave_out(const std::string& node, const std::string& why, Verdict as, Action action) {
  NodeRecord& record = nodes_[node];
  if (!record.left_out.empty()) return;
  record.left_out = why;
  record.left_out_as = as;
  record.left_out_action = action;
}

void Roster::leave_out(const std::string& node, const std::string& why) {
  leave_out(node, why, Verdict::not_run, Action::retest);
}

void Roster::take_look(const NodeAnswers& answers) {
  std::map<std::string, std::string> node_of_host;
  for (const auto& [node, state] : answers.states()) {
    NodeRecord& record = nodes_[node];
    record.left_out.clear();
    if (state.contested) {
      leave_out(node, two_voices, Verdict::inconclusive, Action::configure);
      continue;
    }
    if (!state.hello) {
      const std::string said = answers.launcher_line(node);
      leave_out(node, "no answer" + (said.empty() ? "" : ": " + said));
      continue;
    }
    record.hello = state.hello;
    record.clock_ahead_s = state.clock_ahead_s;
    if (state.hello->version != core::version() || state.hello->revision != core::source_revision())
      leave_out(node,
                fmt::format("assay {} ({}), and {} ({}) here", state.hello->version, state.hello->revision,
                            core::version(), core::source_revision()),
                Verdict::fail, Action::configure);
    const auto [known, first] = node_of_host.try_emplace(state.hello->host, node);
    if (!first)
      leave_out(node, fmt::format("answers as host {}, and so does {}", state.hello->host, known->second),
                Verdict::inconclusive, Action::configure);
  }
}

void Roster::take_stage(const std::string& stage_run, const NodeAnswers& answers) {
  for (const auto& [node, state] : answers.states()) {
    if (state.contested) {
      leave_out(node, two_voices, Verdict::inconclusive, Action::configure);
      continue;
    }
    if (const std::string lost = answers.lost_file(node); state.ended() && !lost.empty()) {
      leave_out(node, fmt::format("{} of stage {} did not arrive whole", lost, stage_run));
      continue;
    }
    if (state.end && !state.was_interrupted() && state.end->why.empty() && state.outcome) {
      take_outcome(node, stage_run, *state.outcome);
      continue;
    }
    const bool failed = state.end && !state.was_interrupted();
    const std::string said = failed ? state.end->why : answers.launcher_line(node);
    leave_out(node, fmt::format("{} in stage {}{}{}",
                                failed      ? "failed"
                                : state.end ? "interrupted, not by this campaign,"
                                            : "lost",
                                stage_run, said.empty() ? "" : ": ", said));
  }
}

void Roster::take_outcome(const std::string& node, const std::string& stage_run, Outcome outcome) {
  nodes_[node].outcomes[stage_run] = std::move(outcome);
}

std::vector<std::string> Roster::present() const {
  std::vector<std::string> names;
  for (const auto& [node, record] : nodes_)
    if (record.left_out.empty()) names.push_back(node);
  return names;
}

int Roster::usual_rails() const {
  std::map<std::int64_t, int> nodes_of{{1, 0}};  // by number of rails
  for (const auto& [node, record] : nodes_)
    if (record.left_out.empty() && record.hello) ++nodes_of[std::max<std::int64_t>(1, record.hello->rails)];
  const auto usual = std::ranges::max_element(nodes_of, [](const auto& one, const auto& other) {
    return std::tuple(one.second, one.first) < std::tuple(other.second, other.first);
  });
  return static_cast<int>(usual->first);
}

std::vector<VerdictRow> Roster::rows() const {
  std::vector<VerdictRow> rows;
  for (const auto& [node, record] : nodes_) add_node_rows(node, record, rows);
  const auto components = components_of(nodes_);
  for (const auto& [component, counts] : components) {
    std::size_t nodes = 0;
    for (const auto& [version, of] : counts) nodes += of.size();
    add_component_rows(component, counts, nodes, rows);
  }
  return rows;
}

}  // namespace assay::campaign
