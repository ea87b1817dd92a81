// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ports of a site's list that are of the fabric: compute ports, not those of storage or management.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "model/fabric/site/seen.hpp"
#include "model/fabric/site/site_fabric.hpp"

namespace assay::model::fabric::site {

/// Whether a port is of the fabric, by its name: "node1 mlx5_0/1". None: every port is.
using ChoosePort = std::function<bool(const std::string&)>;

/// Ports of hosts, chosen one by one. It names those that it left out.
class PortChoice {
 public:
  explicit PortChoice(const ChoosePort& choose) : choose_(choose) {}

  /// Decides by any of a port's names whether to take it; reports show the first.
  bool takes(const std::vector<std::string>& names);

  /// A cable of a port that was not taken.
  void leave_out(const SiteEnd& one, const SiteEnd& other);

  /// Throws a usage Error that opens with `file` where no port was taken.
  void refuse_none(const std::string& file) const;

  /// Without switches from which cables lead to no port that was taken: those of storage or management.
  std::vector<SiteCable> reached(std::vector<SiteCable> cables);

  void report(SiteFabric& site) const;

 private:
  const ChoosePort& choose_;
  std::size_t taken_ = 0;
  Seen not_taken_, not_reached_;
  std::set<std::string> switches_;  // of cables left out
};

}  // namespace assay::model::fabric::site
