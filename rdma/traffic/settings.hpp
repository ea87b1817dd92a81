// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Settings of a point of verbs, as small structs that are read and never written. The axes they come from are
// declared here too, so that names and defaults are in one place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/core/measure/axis.hpp"
#include "rdma/verbs/connection_settings.hpp"
#include "rdma/verbs/operation.hpp"

namespace assay::rdma {

/// How work requests are posted and completed.
struct Posting {
  int qps = 1;
  int tx_depth = 128;
  int post_list = 1;      // work requests per call
  int cq_moderation = 1;  // one completion for so many
  int inline_bytes = 0;
  Completion completion = Completion::polling;
};

// The CPU of a measuring thread.
constexpr int near_cpu = -1;  // near the device, another one for each rank of a machine
constexpr int any_cpu = -2;   // not bound

constexpr int automatic_gpu = -1;  // the one with the rank's number on its node

/// The memory that messages are in, and the CPU that measures.
struct Placement {
  std::string memory = "host";
  int numa_node = -1;
  int cpu = any_cpu;  // of the measuring thread
  int gpu = automatic_gpu;
  int slots = 1;  // distinct buffers of a queue pair, used in turn
};
bool on_gpu(const Placement& placement);

struct Message {
  Operation operation = Operation::write;
  Transport transport = Transport::rc;
  std::int64_t bytes = 0;
};

enum class Rails { same, cross };
constexpr int all_rounds = 0;

/// The ranks that are measured against each other.
struct Pairing {
  Rails rails = Rails::same;
  int round = all_rounds;  // from 1
  bool within_node = false;
};

inline constexpr std::string_view rail_prefix = "rail:";

/// The adapter that was chosen for the device asked for (seats.hpp).
struct Adapter {
  int rail = -1;       // -1: none
  std::string reason;  // why this one
};

/// How queue pairs come by each other's attributes.
enum class Connect { exchange, rdma_cm };

/// A fault planted on purpose, to see that and how it is reported.
enum class Fault { none, wrong_key, wrong_address, wrong_gid, larger_mtu, empty_receive_queue };

struct Settings {
  std::string device = "auto";
  Connect connect = Connect::exchange;
  Adapter adapter;
  Pairing pairing;
  Message message;
  Posting posting;
  PathSettings path;
  RetrySettings retry;
  Placement placement;
};

/// Throws a usage Error on a value that makes no sense (post_list above tx_depth, ...).
Settings settings_of(const core::Point& point);

inline constexpr int ping_pong_slots = 2;  // of a lane's area: what is sent, and what arrives
/// Settings of a latency point: one queue pair, a few messages deep.
Settings latency_settings(const core::Point& point);

/// Axes that every case has: device, transport, path, memory, completion.
std::vector<core::Axis> connection_axes();
/// Axes of cases that keep many messages on the wire: queue pairs, depth, posting.
std::vector<core::Axis> posting_axes(std::int64_t default_qps = 1, std::int64_t default_post_list = 1);
/// Axes of cases of one pair of ranks: rails, whether within a node.
std::vector<core::Axis> pair_axes();
/// Axes of cases of all pairs of a round: pair_axes() and the round. `default_round`: all_rounds, or from 1.
std::vector<core::Axis> pairing_axes(std::int64_t default_round);
core::Axis operation_axis(std::vector<core::Value> defaults);
core::Axis bytes_axis(std::vector<core::Value> defaults);

}  // namespace assay::rdma
