// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Nodes of a Chakra trace as its files state them, in protobuf or JSON, become a Trace.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {

/// Numbers that are not stated are absent.
struct StatedNode {
  std::uint64_t id = 0;
  std::string name = {};
  int type = 0;
  std::vector<std::uint64_t> data_deps = {};
  std::uint64_t start_us = 0;
  double duration_us = 0;
  bool on_cpu = false;
  std::optional<double> comm_type = {}, comm_size = {}, comm_src = {}, comm_dst = {};
  std::string input_values = {};
  std::string group = {};  // pg_name
};

class TraceBuilder {
 public:
  explicit TraceBuilder(const std::string& file) : trace_{.file = file} {}

  /// Throws as read_trace.
  void add(const StatedNode& node);
  Trace finish();

 private:
  [[noreturn]] void refuse_node(std::uint64_t id, const std::string& why) const;
  void take_groups(const StatedNode& stated);
  void take_message(const StatedNode& stated, TraceNode& node);
  void take_collective(const StatedNode& stated, TraceNode& node);
  void resolve();

  Trace trace_;
  std::map<std::uint64_t, std::size_t> places_;
  std::vector<std::vector<std::uint64_t>> parents_;  // of each node
};

}  // namespace assay::model::workload
