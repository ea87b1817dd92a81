// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fabric as a TOML file declares it: what is wired to what, how paths are chosen, what switches do when
// they are full, and what has failed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "model/fabric/file/key_value.hpp"
#include "model/fabric/presets.hpp"
#include "model/fabric/routes/bind_tables.hpp"
#include "model/fabric/routing/routing.hpp"
#include "model/fabric/sharing/dcqcn.hpp"

namespace assay::model::fabric {

struct StarShape {
  std::uint32_t hosts = 1;
};
struct FatTreeShape {
  std::uint32_t ports = 2;
};
using FabricShape =
    std::variant<StarShape, ZoneShape, DataCentreShape, RailShape, FatTreeShape, std::vector<NamedCable>>;

/// A node with its GPUs, each with a NIC port of its own: what the topology calls a host is one of these.
struct ServerShape {
  std::uint32_t gpus = 8;
  std::optional<double> nvlink_bytes_per_us;  // of a GPU, each way; none: GPUs of a server meet at the leaf
  double overhead_us = 0;                     // of a message, at sender and receiver each
  double message_gap_us = 0;                  // least time from one message of a GPU to its next
};

enum class BufferKind {
  fixed,   // "static": each input port has its own threshold
  shared,  // a threshold that falls as the buffer fills
  voq,     // virtual output queues: an output never blocks the input port of another
};

struct SwitchBuffers {
  BufferKind kind = BufferKind::fixed;
  double pause_above_bytes = 512 * 1024, resume_below_bytes = 400 * 1024;  // XOFF, XON
  double alpha = 1;                                                        // of a shared buffer
  std::optional<double> memory_bytes, headroom_bytes;  // of a switch; of a port, above XOFF
};

/// The switches of one tier and the links below them, where they differ from the fabric's others.
struct TierSettings {
  std::string where;  // "zone.toml:9: tier.spine", for messages
  std::string name;   // "spine"
  std::optional<double> gbit_per_s = {}, hop_latency_us = {};
  SwitchBuffers switches = {};
};

/// Receiver-driven: a sender has at most a window in flight, and waits for each clear-to-send.
struct AdmissionSettings {
  std::uint32_t channels = 1;
  double buffer_bytes = 0, wait_us = 0;

  double window_bytes() const { return channels * buffer_bytes; }
};

enum class QueuePairUse {
  split,        // each message over all
  round_robin,  // one message after the other
};

/// Some cables, one link or a switch, by name or drawn. A degraded one keeps `factor` of its capacity.
struct Fault {
  std::string where;            // "zone.toml:22: failed.link", for messages
  std::string link, node;       // as named; one at most
  std::optional<double> share;  // of the cables between switches
  std::uint64_t seed = 1;       // of what is drawn
  double factor = 1;
};

/// Measurements of ports, which replace what their line rate leaves and the stated latency.
struct MeasuredPorts {
  std::string where = {};   // "zone.toml:22: measured.tier", for messages
  std::string tier = {};    // the switches above their cables, "spine"; empty: all cables
  std::string source = {};  // what was measured, and where it is recorded
  double goodput_share = 1, lower_share = 1, upper_share = 1;  // of what the line rate leaves; its interval
  std::optional<double> hop_latency_us = {};                   // propagation and switch
  bool has_goodput = false;
};

struct FabricFile {
  std::string file, name;
  std::string preset;
  FabricShape shape = StarShape{};
  /// Names of the servers in order, or of each GPU's port where there are as many; may be empty.
  std::vector<std::string> nodes = {};
  std::optional<std::uint32_t> radix = {};  // ports that a switch has
  LinkSpeed link = {};
  double link_metres = 0;  // 0: not stated
  ServerShape server = {};
  bool states_servers = false;  // how many GPUs a server has
  SwitchBuffers switches = {};
  std::vector<TierSettings> tiers = {};
  RoutingSettings routing = {};
  bool states_hash = false;           // else nothing is known of what switches do
  bool engineered = false;            // a controller plans paths; what it has no plan for goes by E-ECMP
  bool plan_is_stale = false;         // the plan is older than `failed` and `degraded`
  std::string routing_word = "ecmp";  // as the file calls its kind
  routes::Subnet subnet = {};         // where routing is by tables
  std::vector<std::string> route_notes = {};  // parts of their files that were left out
  QueuePairUse queue_pair_use = QueuePairUse::split;
  double spray_efficiency = fabric::spray_efficiency;
  std::optional<AdmissionSettings> admission = {};
  /// DCQCN: flows share fairly and do not fill buffers. Thresholds are those of every port.
  std::optional<DcqcnSettings> rate_control = {};
  std::vector<Fault> failed = {}, degraded = {};
  std::vector<MeasuredPorts> measured = {};
  std::vector<std::string> assumed = {};  // defaults that stand for measurements
};

/// The text of the file. Throws a usage Error where it cannot be read.
std::string fabric_text(const std::string& file);
/// `replaced` first. Throws a usage Error with file, line, key and what was expected.
FabricFile read_fabric(const std::string& file, std::span<const KeyValue> replaced = {});
FabricFile parse_fabric(const std::string& toml, const std::string& file,
                        std::span<const KeyValue> replaced = {});

}  // namespace assay::model::fabric
