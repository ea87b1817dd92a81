// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/site.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/front/campaign/nodes/nodes.hpp"
#include "harness/front/health/expectation.hpp"
#include "harness/front/suite/kept_plan.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using core::usage_error;

std::string id_of(const CampaignOptions& options, const Campaign& campaign) {
  suite::refuse_as_folder_name(options.id);
  if (!options.id.empty()) return options.id;
  if (options.resume) return suite::latest_with(options.folder, "campaign.toml", "nonce", "campaign");
  return fmt::format("{}-{}", campaign.name, suite::new_run_name());
}

void refuse_wrong_folder(const CampaignOptions& options, const fs::path& folder) {
  const bool exists = fs::exists(folder / "campaign.toml");
  if (exists && !options.resume)
    usage_error(fmt::format("{}: this campaign exists (expected --resume, or another --campaign-id)",
                            folder.string()));
  if (!exists && options.resume) usage_error(fmt::format("{}: no campaign to resume", folder.string()));
}

}  // namespace

OrderExtras Site::extras() const {
  OrderExtras extras{.campaign_id = id};
  if (!options.expectation.empty()) extras.expectation = core::read_whole_file(options.expectation);
  if (!options.programs.empty()) extras.programs = fs::absolute(options.programs).string();
  return extras;
}

Site site_of(const CampaignOptions& options) {
  Site site{.options = options,
            .campaign = {},
            .id = {},
            .folder = {},
            .launcher = {},
            .nodes = {},
            .program = {},
            .apart = {}};
  if (!options.resume) site.campaign = read_campaign(options.campaign);
  site.id = id_of(options, site.campaign);
  site.folder = fs::absolute(options.folder / site.id);
  refuse_wrong_folder(options, site.folder);
  if (options.resume) site.campaign = read_kept_campaign(site.folder.string());
  if (!options.expectation.empty()) static_cast<void>(health::read_expectation(options.expectation));
  suite::LauncherFlags flags = options.launcher;
  if (flags.ranks == 0 && flags.engine != "local") flags.ranks = 1;  // each stage says its own
  site.launcher =
      suite::launcher_from(flags, [](const char* name) -> const char* { return std::getenv(name); });
  site.nodes = nodes_of(site.launcher, options.nodes, options.host_file, name_of_this_host());
  site.program = options.program.empty() ? fs::read_symlink("/proc/self/exe").string() : options.program;
  return site;
}

std::optional<results::FabricFiles> fabric_of(const Site& site, const Stage& stage) {
  const auto given = [&](const char* input) -> std::string {
    const auto found = site.options.files.find(input);
    return found == site.options.files.end() || found->second.empty() ? "" : found->second.front();
  };
  const bool is_stages = given("fabric").empty();
  const std::string fabric = is_stages ? stage.fabric : given("fabric");
  std::string topology = given("topology");
  if (topology.empty() && is_stages) topology = stage.topology;
  if (fabric.empty() && !topology.empty())
    usage_error(fmt::format("--topology {}: expected --fabric FILE with it, or a fabric of stage '{}'",
                            topology, stage.name));
  if (fabric.empty()) return std::nullopt;
  results::FabricFiles files{.fabric = {fabric}};
  if (!topology.empty()) files.topology = results::EvidenceFile{topology};
  return files;
}

void refuse_impossible_stages(const Site& site) {
  for (const Stage& stage : site.campaign.stages) {
    if (stage.grouping == Grouping::groups && static_cast<std::size_t>(stage.size) > site.nodes.size())
      usage_error(fmt::format("{}: stage '{}': groups of {} nodes, and there are {}", stage.where, stage.name,
                              stage.size, site.nodes.size()));
    if (stage.kind != StageKind::judge) continue;
    if (const auto fabric = fabric_of(site, stage); fabric && site.options.models.locate)
      static_cast<void>(site.options.models.locate(*fabric, {}));
  }
}

}  // namespace assay::campaign
