// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/campaign_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "results/judge/acceptance/evidence_file.hpp"

namespace assay::campaign {
namespace {

std::string complaint_of(const std::string& toml) try {
  static_cast<void>(parse_campaign(toml, "c.toml"));
  return "";
} catch (const core::Error& error) {
  EXPECT_EQ(error.kind(), core::ErrorKind::usage);
  return error.what();
}

std::string stage(const std::string& keys) { return "[[stage]]\nname = 'a'\n" + keys; }

TEST(CampaignFile, EveryShippedOneIsRead) {
  const auto names = built_in_campaigns();
  for (const char* wanted : {"acceptance", "burn-in", "smoke"})
    EXPECT_NE(std::find(names.begin(), names.end(), wanted), names.end()) << wanted;
  for (const std::string& name : names) {
    const Campaign campaign = read_campaign(name);
    EXPECT_EQ(campaign.name, name);
    EXPECT_FALSE(campaign.about.empty());
    EXPECT_EQ(campaign.stages.back().kind, StageKind::judge) << name;
  }
}

TEST(CampaignFile, AStageHoldsItsPlan) {
  const Campaign campaign =
      parse_campaign(stage("on = 'nodes'\nplan = 'quick'\nruns = 3\nburn_in = { for = '10m' }"), "c.toml");
  EXPECT_NE(campaign.stages.at(0).work.plan.find("[[sweep]]"), std::string::npos);
  EXPECT_EQ(campaign.stages.at(0).work.runs, 3);
  EXPECT_TRUE(campaign.stages.at(0).work.is_burn_in());
}

TEST(CampaignFile, ALevelOfABurnInIsAPlanWithFiltersAndAnEnd) {
  const Work quick =
      parse_campaign(stage("on = 'nodes'\nburn_in = { level = 'quick' }"), "c.toml").stages.at(0).work;
  EXPECT_TRUE(quick.is_burn_in());
  EXPECT_EQ(quick.plan_name, "levels");
  EXPECT_NE(quick.plan.find("[[sweep]]"), std::string::npos);
  EXPECT_THAT(quick.filters, testing::Contains("memory.cuda.read"));
  EXPECT_EQ(quick.burn_in_for, "3m");
  EXPECT_EQ(quick.burn_in_rounds, 1);
  const Work extended =
      parse_campaign(stage("on = 'nodes'\nburn_in = { level = 'extended' }"), "c.toml").stages.at(0).work;
  EXPECT_THAT(extended.filters, testing::IsEmpty());
  EXPECT_EQ(extended.burn_in_for, "240m");
  EXPECT_EQ(extended.burn_in_rounds, 0);
}

TEST(CampaignFile, ALevelThatBeganKeepsItsPlan) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "kept-level";
  std::filesystem::create_directories(folder);
  const Campaign campaign = parse_campaign(stage("on = 'nodes'\nburn_in = { level = 'medium' }"), "c.toml");
  keep_campaign(campaign, folder);
  const Work kept = read_kept_campaign(folder).stages.at(0).work, begun = campaign.stages.at(0).work;
  EXPECT_EQ(kept.plan, begun.plan);
  EXPECT_EQ(kept.filters, begun.filters);
  EXPECT_EQ(kept.burn_in_for, begun.burn_in_for);
}

TEST(CampaignFile, AStageBetweenNodesHasSoManyRanksANodeOrOneARail) {
  const auto ranks_of = [](const std::string& text) {
    return parse_campaign(stage("on = 'pairs'\nplan = 'quick'\n" + text), "c.toml")
        .stages.at(0)
        .ranks_per_node;
  };
  EXPECT_EQ(ranks_of(""), 1);
  EXPECT_EQ(ranks_of("ranks_per_node = 8"), 8);
  EXPECT_EQ(ranks_of("ranks_per_node = 'rails'"), one_a_rail);
}

TEST(CampaignFile, AStageThatGrowsASetHasRulesOfItsOwn) {
  const std::string grow = "on = 'grow'\nplan = 'quick'\n";
  const Stage usual = parse_campaign(stage(grow), "c.toml").stages.at(0);
  EXPECT_EQ(usual.kind, StageKind::grow);
  EXPECT_EQ(usual.sound_set.fails_in, 0.5);
  EXPECT_EQ(usual.least_busbw_gb_per_s, 0);
  const Stage own =
      parse_campaign(stage(grow + "fails_in = 0.2\nerror = 0.05\nleast_busbw_gb_per_s = 350"), "c.toml")
          .stages.at(0);
  EXPECT_EQ(own.sound_set.fails_in, 0.2);
  EXPECT_EQ(own.sound_set.error, 0.05);
  EXPECT_EQ(own.least_busbw_gb_per_s, 350);
}

TEST(CampaignFile, OneThatBeganKeepsTheFilesOfItsJudges) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "kept-campaign";
  std::filesystem::create_directories(folder);
  for (const char* name : {"zone.toml", "cables.csv"}) std::ofstream(testing::TempDir() + name) << name;
  const std::string file = testing::TempDir() + "c.toml";
  keep_campaign(
      parse_campaign(stage("on = 'judge'\nfabric = 'zone.toml'\ntopology = 'lldp=cables.csv'"), file),
      folder);
  for (const char* name : {"zone.toml", "cables.csv"}) std::filesystem::remove(testing::TempDir() + name);
  const Stage kept = read_kept_campaign(folder).stages.at(0);
  EXPECT_EQ(kept.fabric, folder / "zone.toml");
  EXPECT_EQ(kept.topology, "lldp=" + (folder / "cables.csv").string());
  EXPECT_TRUE(std::filesystem::exists(folder / "cables.csv"));
}

TEST(CampaignFile, OneThatBeganKeepsAFolderOfSiteListsAsOneFile) {
  const std::filesystem::path from = std::filesystem::path(testing::TempDir()) / "lists-campaign",
                              folder = from / "kept";
  std::filesystem::create_directories(from / "lists");
  std::filesystem::create_directories(folder);
  std::ofstream(from / "zone.toml") << "zone";
  std::ofstream(from / "lists" / "leaf1.json") << "{}\n";
  const std::string file = from / "c.toml";
  keep_campaign(parse_campaign(stage("on = 'judge'\nfabric = 'zone.toml'\ntopology = 'lldp=lists/'"), file),
                folder);
  std::filesystem::remove_all(from / "lists");
  EXPECT_EQ(read_kept_campaign(folder).stages.at(0).topology, "lldp=" + (folder / "lists").string());
  EXPECT_EQ(core::read_whole_file(folder / "lists"), "==> leaf1.json <==\n{}\n\n");
}

TEST(CampaignFile, OneThatBeganKeepsSlurmsFileWithWhatItIncludes) {
  const std::filesystem::path from = std::filesystem::path(testing::TempDir()) / "slurm-campaign",
                              folder = from / "kept";
  std::filesystem::create_directories(folder);
  std::ofstream(from / "zone.toml") << "zone";
  std::ofstream(from / "topology.conf") << "include leaf.conf\n";
  std::ofstream(from / "leaf.conf") << "SwitchName=l1 Nodes=n1\n";
  const std::string file = from / "c.toml";
  keep_campaign(
      parse_campaign(stage("on = 'judge'\nfabric = 'zone.toml'\ntopology = 'slurm=topology.conf'"), file),
      folder);
  std::filesystem::remove(from / "leaf.conf");
  const std::string kept =
      results::read_tagged(results::tagged_name(read_kept_campaign(folder).stages.at(0).topology));
  EXPECT_EQ(kept,
            "==> topology.conf <==\ninclude leaf.conf\n\n==> leaf.conf <==\nSwitchName=l1 Nodes=n1\n\n");
}

TEST(CampaignFile, KeepsNoFolderAsAFileOfLimits) {
  const std::filesystem::path from = std::filesystem::path(testing::TempDir()) / "folder-campaign",
                              folder = from / "kept";
  std::filesystem::create_directories(folder);
  std::filesystem::create_directories(from / "limits.toml");
  std::ofstream(from / "limits.toml" / "one.toml") << "about = 'x'\n";
  const Campaign campaign = parse_campaign(stage("on = 'judge'\nlimits = ['limits.toml']"), from / "c.toml");
  EXPECT_THROW(keep_campaign(campaign, folder), core::Error);
}

TEST(CampaignFile, BadOnesAreRefusedWithFileAndLine) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {"name = 'x'", "no [[stage]]"},
      {"[[stage]]\non = 'judge'", "c.toml:1: stage.name: missing: expected text"},
      {stage("on = 'moon'"), "stage 'a': on = 'moon'"},
      {stage("on = 'nodes'"), "nothing to do"},
      {stage("on = 'nodes'\nplan = 'none-such'"), "none-such"},
      {stage("on = 'nodes'\nplan = 'quick'\nrusn = 3"), "c.toml:5: stage.rusn: unknown key"},
      {stage("on = 'nodes'\nplan = 'quick'\nruns = 0"), "c.toml:5: stage.runs: expected"},
      {stage("on = 'nodes'\nplan = 'quick'\nburn_in = { for = 'soon' }"), "c.toml:5"},
      {stage("on = 'nodes'\nburn_in = { level = 'short' }"),
       "c.toml:4: stage.burn_in.level: 'short' is unknown (expected quick, "},
      {stage("on = 'nodes'\nburn_in = {}"), "'for' or 'rounds', or both, or 'level'"},
      {stage("on = 'nodes'\nplan = 'quick'\nburn_in = { level = 'quick' }"),
       "stage 'a': a level has a plan, a filter and an end of its own"},
      {stage("on = 'nodes'\nfilter = 'gemm.*'\nburn_in = { level = 'quick' }"), "a level has a plan"},
      {stage("on = 'nodes'\nburn_in = { level = 'quick', rounds = 2 }"), "expected no plan, filter"},
      {stage("on = 'pairs'\nburn_in = { level = 'quick' }"), "run on = 'nodes'"},
      {stage("on = 'judge'\nplan = 'quick'"), "a judge and a fit measure nothing"},
      {stage("on = 'fit'\nplan = 'quick'"), "a judge and a fit measure nothing"},
      {stage("on = 'fit'\nblock = 'no'"), "block = 'no' (expected an earlier stage)"},
      {stage("on = 'nodes'\nplan = 'quick'\nblock = 'no'"), "block belongs to on = 'fit'"},
      {stage("on = 'judge'\nlimits = 'none-such.toml'"), "none-such.toml"},
      {stage("on = 'judge'\nretests = 101"), "a whole number from 0 to 100"},
      {stage("on = 'judge'\nfabric = 'none-such.toml'"), "c.toml:4: stage.fabric: expected a file"},
      {stage("on = 'judge'\ntopology = 'lldp'"), "KIND=FILE"},
      {stage("on = 'judge'\ntopology = 'lldp=/dev/null'"), "topology needs a fabric"},
      {stage("on = 'nodes'\nplan = 'quick'\nfabric = '/dev/null'"),
       "fabric and retests belong to on = 'judge'"},
      {stage("on = 'pairs'\nplan = 'quick'\nranks_per_node = 'rail'"), "c.toml:5: stage.ranks_per_node"},
      {stage("on = 'groups'\nplan = 'quick'"), "needs a size"},
      {stage("on = 'whole'\nplan = 'quick'\nrounds = 2"), "rounds belong"},
      {stage("on = 'pairs'\nplan = 'quick'\ncheck = true"), "run on = 'nodes'"},
      {"[[stage]]\nname = 'A b'\non = 'judge'", "expected a name of a-z"},
      {stage("on = 'judge'\n") + stage("on = 'judge'"), "two stages are named 'a'"},
      {"name = ", "c.toml:1: not TOML"}};
  for (const auto& [toml, wanted] : bad)
    EXPECT_NE(complaint_of(toml).find(wanted), std::string::npos) << toml << "\n-> " << complaint_of(toml);
}

TEST(CampaignFile, ABadStageThatGrowsASetIsRefused) {
  const std::vector<std::pair<std::string, std::string>> bad{
      {stage("on = 'grow'"), "nothing to do"},
      {stage("on = 'grow'\nplan = 'quick'\nruns = 2"), "repeats by itself"},
      {stage("on = 'grow'\nplan = 'quick'\nfails_in = 0"), "c.toml:5: stage.fails_in: expected"},
      {stage("on = 'whole'\nplan = 'quick'\nfails_in = 0.5"),
       "c.toml:5: stage.fails_in: belongs to on = 'grow'"}};
  for (const auto& [toml, wanted] : bad)
    EXPECT_NE(complaint_of(toml).find(wanted), std::string::npos) << toml << "\n-> " << complaint_of(toml);
}

TEST(CampaignFile, AnUnknownNameNamesTheShippedOnes) {
  try {
    static_cast<void>(read_campaign("burnin"));
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_NE(std::string(error.what()).find("burn-in"), std::string::npos);
  }
}

}  // namespace
}  // namespace assay::campaign
