// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Known properties of this type of machine: without them a check can only compare units with each other, and
// what all of them lack stays unseen.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "harness/front/health/job/job_needs.hpp"
#include "harness/machine/inventory/facts.hpp"

namespace assay::health {

struct Expectation {
  std::string source;  // who says so; named in the evidence
  std::optional<int> gpus, nvlinks, adapters, nvme_drives;
  std::optional<std::string> gpu_name;   // a part of it: "H100"
  std::vector<std::string> gpu_serials;  // of every board in this node; empty: not stated
  std::optional<std::string> vbios, link_layer, adapter_firmware;
  std::optional<std::vector<std::string>> rails;  // RDMA devices that carry the traffic of GPUs
  std::vector<std::string> absent_counters;       // of RDMA ports: those that the driver here does not have
  std::optional<std::string> cable;               // "copper" or "optical", of Ethernet ports
  std::optional<std::string> cuda;                // of programs that are to start here: "13.0"
  std::optional<double> rate_gbit_per_s;
  std::optional<int> mtu_bytes;      // of RoCE paths
  bool adaptive_routing = false;     // packets may overtake each other
  std::vector<machine::Fact> parts;  // [parts]: versions of firmware, memory modules, drives
  JobNeeds job;                      // [job]
};
inline constexpr std::array<std::string_view, 2> kinds_of_cable{"copper", "optical"};
/// Keys of the file, and of [[nodes]].
constexpr auto fields_of(core::Type<Expectation>) {
  using core::Field, core::any_value;
  using E = Expectation;
  constexpr core::Terms count{.lowest = 0, .highest = 65536};
  constexpr core::Terms serials =
      any_value.saying("serial numbers, such as [\"1650000000001\"]").where_known();
  constexpr core::Terms counters =
      any_value.saying("counters of RDMA ports, such as [\"req_transport_retries_exceeded\"]").where_known();
  return std::tuple(
      Field<"source", &E::source>{any_value.saying("who says what this machine has").where_known()},
      Field<"gpus", &E::gpus>{count}, Field<"nvlinks", &E::nvlinks>{count},
      Field<"adapters", &E::adapters>{count}, Field<"nvme_drives", &E::nvme_drives>{count},
      Field<"gpu_name", &E::gpu_name>{}, Field<"gpu_serials", &E::gpu_serials>{serials},
      Field<"vbios", &E::vbios>{}, Field<"link_layer", &E::link_layer>{},
      Field<"adapter_firmware", &E::adapter_firmware>{},
      Field<"rails", &E::rails>{any_value.saying("RDMA devices, such as [\"mlx5_0\"]")},
      Field<"absent_counters", &E::absent_counters>{counters},
      Field<"cable", &E::cable>{{.words = kinds_of_cable}},
      Field<"cuda", &E::cuda>{any_value.saying("a version such as \"13.0\"")},
      Field<"rate_gbit_per_s", &E::rate_gbit_per_s>{core::above_zero},
      Field<"mtu_bytes", &E::mtu_bytes>{count},
      Field<"adaptive_routing", &E::adaptive_routing>{any_value.where_known()});
}

/// TOML with these names as keys, and for a site an array of tables `nodes`: each has `names`, globs of host
/// names, and keys for these hosts alone. The first that names `host` counts. Throws a usage Error with file
/// and line for what is unknown, of the wrong kind, or lacks a source, and where none of the nodes is `host`.
Expectation read_expectation(const std::string& file, const std::optional<std::string>& host = {});

/// The name of the node below `root`, for that.
std::string name_of_node(const std::string& root);

}  // namespace assay::health
