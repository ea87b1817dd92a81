// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The hardware that verdicts are about, as far as its drivers and firmware say: nodes, GPUs and adapters.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/store.hpp"

namespace assay::results {

/// A node, or a part of one. What is not reported is "".
struct TestedPart {
  std::string id;          // as verdicts name it: "h3", "h3/gpu2", "GPU 2 0000:4b:00.0", "mlx5_2"
  std::string host, type;  // type: node, gpu, nic
  std::string name = {};   // of its product
  std::string address = {}, serial = {};
  std::string identity = {};                         // UUID of a GPU, node GUID of an adapter
  std::string chip = {};                             // the vendor's number of it
  std::string firmware = {}, firmware_variant = {};  // variant: the PSID of an adapter's firmware
};

/// Software of a node: its kernel, a driver, a library.
struct TestedSoftware {
  std::string host, name, version;
};

class TestedSystem {
 public:
  /// A second part of one id is left out.
  void add(TestedPart part);
  void add(TestedSoftware software) { software_.push_back(std::move(software)); }

  const std::vector<TestedPart>& parts() const { return parts_; }
  const std::vector<TestedSoftware>& software() const { return software_; }
  const std::set<std::string>& hosts() const { return hosts_; }
  /// Names the part of units that belong to no other; without it they have none.
  void give_the_rest_to(const std::string& id) { rest_ = id; }
  /// The part that has the unit's name, or the part that it belongs to: "mlx5_2" of "mlx5_2/1". Null where
  /// there is none.
  const TestedPart* part_of(std::string_view unit) const;

 private:
  std::vector<TestedPart> parts_;
  std::vector<TestedSoftware> software_;
  std::set<std::string> hosts_;
  std::string rest_;
  std::map<std::string, std::size_t, std::less<>> by_id_;
};

/// Machines of these runs, of each host as the latest run describes it. Runs that no store has are left out.
TestedSystem tested_system(std::span<const Store* const> stores, const std::set<std::string>& runs);

}  // namespace assay::results
