// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One port of one RDMA device, opened: its limits, its port's state, its GIDs.
#pragma once

#include <infiniband/verbs.h>

#include <string>
#include <vector>

#include "rdma/verbs/handles.hpp"

namespace assay::rdma {

/// Names of the RDMA devices of this host, in libibverbs' order.
std::vector<std::string> device_names();

struct Gid {
  int index = 0;
  ibv_gid raw = {};
  std::string type;  // "RoCE v2" | "RoCE v1" | "IB"

  bool ipv4() const;  // an IPv4 address mapped into IPv6
  std::string text() const;
};

class Device {
 public:
  /// `name`: "mlx5_0", "mlx5_0:2" (port 2), or "auto": what ASSAY_RDMA_DEVICE names, else the
  /// first device with an active port. Throws a usage
  /// Error naming the devices there are where none is so called, Error(verbs) where its port is not active.
  explicit Device(const std::string& name);

  ibv_context* context() const { return context_.get(); }
  const std::string& name() const { return name_; }
  int port() const { return port_; }
  const ibv_device_attr& limits() const { return limits_; }
  const ibv_port_attr& port_attributes() const { return port_attributes_; }
  bool ethernet() const { return port_attributes_.link_layer == IBV_LINK_LAYER_ETHERNET; }
  int active_mtu_bytes() const { return 128 << port_attributes_.active_mtu; }

  /// The NUMA node of the PCIe function behind it; -1 where there is none.
  int numa_node() const;

  /// The GIDs in use at this port.
  std::vector<Gid> gids() const;
  /// `index` -1: on Ethernet a RoCE v2 GID, IPv4 before others; on InfiniBand index 0. Throws a usage Error
  /// that lists the GIDs there are.
  Gid gid(int index) const;

  /// The next asynchronous event that waits ("port error", "device fatal"), or empty. Never blocks.
  std::string next_event() const;

 private:
  std::string name_;
  int port_ = 1;
  ContextHandle context_;
  ibv_device_attr limits_{};
  ibv_port_attr port_attributes_{};
};

}  // namespace assay::rdma
