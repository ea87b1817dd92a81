// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The lines of ibnetdiscover's topology file (rdma-core 0c0ced8, infiniband-diags/ibnetdiscover.c): blocks of
// nodes, each with its ports that have a cable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "model/fabric/site/infiniband/ib_rate.hpp"

namespace assay::model::fabric::site {

struct IbPort {
  std::string guid, port;  // "S-0002c90300000001" and "17"
  friend auto operator<=>(const IbPort&, const IbPort&) = default;
};

enum class IbKind { network_switch, adapter, aggregation_node, router };

struct IbNode {
  IbKind kind = IbKind::adapter;
  std::string description;
  std::string system;     // system image GUID; empty: not stated
  std::uint32_t lid = 0;  // of a switch; 0: not stated
};

struct IbLine {
  IbPort peer;
  bool is_to_aggregation_node = false;  // as it describes its peer
  std::uint32_t lid = 0, lmc = 0;       // of an adapter's own port; 0: not stated
  IbRate rate;
  std::size_t line = 0;
};

struct IbList {
  std::map<std::string, IbNode> nodes;  // by GUID
  std::map<IbPort, IbLine> ports;
  std::size_t skipped = 0;    // lines that are not part of the list
  std::string first_skipped;  // "line 1: 'ibwarn: ...'"
};

/// The number in "S-0002c90300000001".
std::uint64_t guid_number(const std::string& guid);

/// Lines that ibnetdiscover does not write (warnings of its standard error) are skipped. Throws a usage Error
/// with file and line for a node or port line that is cut off, numbers of ports and LMCs that there are not,
/// ports or nodes that are there twice and differ, and a file without a block.
IbList read_ib_list(const std::string& text, const std::string& file);

}  // namespace assay::model::fabric::site
