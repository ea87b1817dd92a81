// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The hosts that the adapters of an InfiniBand list are in, and their names.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace assay::model::fabric::site {

struct IbAdapter {
  std::string guid, description;
  std::string system;  // system image GUID; empty: not stated
};

struct IbPlace {
  std::string host, adapter;  // "node1" and "mlx5_0"; GUIDs where there are no names
  friend auto operator<=>(const IbPlace&, const IbPlace&) = default;
};

/// Places by GUID of the adapter. Descriptions are "HOST" or "HOST ADAPTER", with blanks in a host's name as
/// they are. Those that are a vendor's text, or stand for several hosts, name no host: such an adapter is in
/// the host that has its system image GUID, else in one that is called by GUID.
std::map<std::string, IbPlace> ib_places(const std::vector<IbAdapter>& adapters);

}  // namespace assay::model::fabric::site
