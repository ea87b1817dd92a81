// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/fabric_orders.hpp"

#include <sstream>

#include "model/json/read_text.hpp"

namespace assay::cli {

std::vector<std::string> names_in(const std::string& file) {
  std::vector<std::string> names;
  if (file.empty()) return names;
  std::istringstream lines(model::read_text(file, "names of servers, one a line"));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) names.push_back(line);
  return names;
}

std::string order_text(const std::string& as, const std::vector<model::fabric::RankPlace>& places) {
  if (as == "hostfile") return model::fabric::hostfile_of(places);
  return as == "slurm" ? model::fabric::slurm_hosts_of(places) : model::fabric::rank_map_of(places);
}

}  // namespace assay::cli
