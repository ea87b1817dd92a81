// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The site of a campaign, which every stage needs: its file, its nodes, the launcher, and its folder.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/front/campaign/campaign.hpp"
#include "harness/front/campaign/campaign_file.hpp"
#include "harness/front/campaign/order.hpp"

namespace assay::campaign {

struct Site {
  const CampaignOptions& options;
  Campaign campaign;
  std::string id;
  std::filesystem::path folder;  // absolute
  suite::Launcher launcher;
  std::vector<std::string> nodes;    // that this start has
  std::string program;               // assay as nodes see it
  std::set<std::string> apart = {};  // nodes that do not see the folder
  int rails = 1;                     // of most nodes, once they have answered

  std::filesystem::path nodes_folder() const { return folder / "nodes"; }
  OrderExtras extras() const;
};

/// Throws a usage Error on bad input; makes no folder.
Site site_of(const CampaignOptions& options);

/// The fabric by which the stage judges: of the command line, else of the campaign. Throws a usage Error for
/// a topology without one.
std::optional<results::FabricFiles> fabric_of(const Site& site, const Stage& stage);

/// A stage that no number of its nodes can run, or whose fabric cannot be read, is refused before anything is
/// measured.
void refuse_impossible_stages(const Site& site);

}  // namespace assay::campaign
