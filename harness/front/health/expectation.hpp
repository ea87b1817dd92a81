// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Known properties of this type of machine: without them a check can only compare units with each other, and
// what all of them lack stays unseen.
#pragma once

#include <optional>
#include <string>
#include <vector>

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
  std::optional<int> mtu_bytes;   // of RoCE paths
  bool adaptive_routing = false;  // packets may overtake each other
};

/// TOML with these names as keys, and for a site an array of tables `nodes`: each has `names`, globs of host
/// names, and keys for these hosts alone. The first that names `host` counts. Throws a usage Error with file
/// and line for what is unknown, of the wrong kind, or lacks a source, and where none of the nodes is `host`.
Expectation read_expectation(const std::string& file, const std::optional<std::string>& host = {});

/// The name of the node below `root`, for that.
std::string name_of_node(const std::string& root);

}  // namespace assay::health
