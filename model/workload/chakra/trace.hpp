// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One rank's Chakra execution trace: what it computes and exchanges, and what waits for what.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/training/training_step.hpp"

namespace assay::model::workload {

enum class Side { none, sends, receives };  // of a message

/// A process group as the trace states it.
struct TraceGroup {
  std::vector<std::uint32_t> ranks = {};  // rising; empty: not listed
  std::uint64_t size = 0;                 // 0: not stated
};

struct TraceNode {
  std::uint64_t id = 0, start_us = 0;
  training::Traffic traffic = training::Traffic::none;
  double bytes = 0;        // of an exchange or message, comm_size
  std::string group = {};  // its pg_name; empty: all ranks
  double compute_s = 0;    // of a COMP_NODE off the CPU
  Side side = Side::none;
  std::int64_t peer = -1;                // the other side's rank, comm_dst or comm_src; -1: unknown
  std::vector<std::size_t> before = {};  // places of nodes that it waits for
};

struct Trace {
  std::string file;
  std::vector<TraceNode> nodes = {};  // each after those that it waits for; of several, by start and id
  std::map<std::string, TraceGroup> groups = {};  // by pg_name
  std::vector<std::string> notes = {};            // what could not be used
  std::size_t left_out = 0;  // gathers, scatters and barriers, and messages without a size
};

/// JSON or protobuf, by the first bytes. Throws a usage Error naming the file, and node or byte,
/// for a message that is cut short or is none, a node twice, a dependency that is missing, a circle, and an
/// exchange without its kind or size. In a build without protobuf for every file of it.
Trace read_trace(const std::string& file);

/// Throw as read_trace.
Trace read_protobuf_trace(const std::string& file, std::string_view bytes);
Trace read_json_trace(const std::string& file, std::string_view text);

/// Puts nodes in order. Throws as read_trace. `before` holds places in `trace.nodes`.
void sort_nodes(Trace& trace);

}  // namespace assay::model::workload
