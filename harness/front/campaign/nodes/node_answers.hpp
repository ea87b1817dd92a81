// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Answers of the nodes of a stage so far, and the files that they sent.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/front/campaign/answer.hpp"

namespace assay::campaign {

struct NodeState {
  std::optional<Hello> hello = {};
  std::optional<Outcome> outcome = {};
  std::optional<End> end = {};
  Heartbeat heartbeat = {};
  double clock_ahead_s = 0;                          // of its clock, less the way here
  std::chrono::steady_clock::time_point heard = {};  // last
  std::string voice = {};                            // of the process that answered first
  bool contested = false;                            // another process answered in its name

  bool ended() const { return end.has_value(); }
  bool was_interrupted() const { return end && end->interrupted; }
};

/// Limit of arriving files in the coordinator's memory at a time; what is beyond it does not arrive.
inline constexpr std::size_t most_bytes_arriving = std::size_t{4} << 30;
inline constexpr std::size_t most_files_of_node = 4096;

class NodeAnswers {
 public:
  /// Files are written to `folder`/NODE/PATH.
  NodeAnswers(std::vector<std::string> nodes, std::filesystem::path folder,
              std::size_t most_bytes = most_bytes_arriving);

  /// A line of the launcher's output. Other lines are kept as what the launcher said.
  void take(std::string_view line);

  /// Replaces the nodes' earlier answers by those that they gave when asked again.
  void take_over(NodeAnswers later);

  const std::map<std::string, NodeState>& states() const { return states_; }
  std::size_t ended() const;
  /// Answers of nodes that were not asked, by name.
  const std::vector<std::string>& strangers() const { return strangers_; }
  /// Nodes that did not end by themselves, or whose files did not arrive whole: ask these again.
  std::vector<std::string> incomplete() const;
  /// A file of that node that did not arrive whole; empty: none.
  std::string lost_file(const std::string& node) const;
  /// The last line that names the node, else the last at all.
  std::string launcher_line(const std::string& node) const;

 private:
  struct Arriving {
    FileHead head;
    std::string bytes;
  };
  void take_file(const std::string& node, const Answer& answer);
  void settle_file(const std::string& node, const Arriving& file);
  void drop_file(const std::string& node, const std::string& path);
  void keep_launcher_line(std::string line);

  std::map<std::string, NodeState> states_;
  std::filesystem::path folder_;
  std::size_t most_bytes_;
  std::map<std::string, std::map<std::string, Arriving>> arriving_;  // by node, then path
  std::size_t bytes_arriving_ = 0;
  std::vector<std::string> strangers_, launcher_lines_;
};

}  // namespace assay::campaign
