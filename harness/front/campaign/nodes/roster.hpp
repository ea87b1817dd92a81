// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The nodes of a campaign and what became of each: who answered, with what software, what it carried out, and
// where it was lost.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/campaign/nodes/node_answers.hpp"
#include "results/judge/verdict/verdicts.hpp"

namespace assay::campaign {

struct NodeRecord {
  std::optional<Hello> hello = {};
  double clock_ahead_s = 0;
  std::map<std::string, Outcome> outcomes = {};  // by stage and run: "alone-1"
  std::string left_out = {};                     // why it measures no further
  results::Verdict left_out_as = results::Verdict::not_run;
  results::Action left_out_action = results::Action::retest;
};

class Roster {
 public:
  explicit Roster(const std::vector<std::string>& nodes);

  /// Takes the answers to the first look. A node is left out if it does not answer, or answers under
  /// another's name or with another version of assay.
  void take_look(const NodeAnswers& answers);
  /// Takes the answers to a stage. A node that does not end, or could not carry out its order, is left out.
  void take_stage(const std::string& stage_run, const NodeAnswers& answers);
  void take_outcome(const std::string& node, const std::string& stage_run, Outcome outcome);
  /// A node that an earlier start of this campaign had, and this one has not.
  void leave_out(const std::string& node, const std::string& why);

  std::vector<std::string> present() const;
  /// Active RDMA ports of most nodes that are present, the larger of two numbers that are as frequent; at
  /// least 1.
  int usual_rails() const;
  const std::map<std::string, NodeRecord>& nodes() const { return nodes_; }

  /// A row for each node that was left out, differs from the majority, or did not carry a stage out; and a
  /// row for each node that did.
  std::vector<results::VerdictRow> rows() const;

 private:
  void leave_out(const std::string& node, const std::string& why, results::Verdict as,
                 results::Action action);

  std::map<std::string, NodeRecord> nodes_;
};

}  // namespace assay::campaign
