// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The output of one system's lldpcli, in whatever format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::model::fabric::site {

struct LldpcliNeighbour {
  std::string interface, name, chassis;  // of a neighbour without a name its chassis' identifier counts
  std::string port, description, rate;
  std::optional<bool> forwards;
  std::string place;  // "leaf1.json: swp1"
};

struct LldpcliSystem {
  std::string name, chassis;  // its own, where it says so
  std::optional<bool> forwards;
  std::vector<LldpcliNeighbour> neighbours;
};

/// Bridge and Router count, and others only where they are enabled.
void add_capability(std::optional<bool>& forwards, std::string_view kind, bool enabled);

void add_lldpcli_json(LldpcliSystem& system, const std::string& text, const std::string& file);
void add_lldpcli_keyvalue(LldpcliSystem& system, const std::string& text);

}  // namespace assay::model::fabric::site
