// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/slurm_topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "model/fabric/site/host_list.hpp"
#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

using Names = std::vector<std::string>;

TEST(HostList, ExpandsRangesWithLeadingZerosAndSeveralBrackets) {
  EXPECT_EQ(expand_host_list("dev[0-2,08-10],login1", ""),
            (Names{"dev0", "dev1", "dev2", "dev08", "dev09", "dev10", "login1"}));
  EXPECT_EQ(expand_host_list("r[1-2]n[3,5]x", ""), (Names{"r1n3x", "r1n5x", "r2n3x", "r2n5x"}));
}

TEST(HostList, RefusesWhatIsNoList) {
  const auto parse = [](const std::string& text) { expand_host_list(text, "f:1"); };
  for (const char* text : {"a[1", "a1]", "a[[1]]"}) expect_refused(parse, text, "f:1: the brackets of");
  expect_refused(parse, "a[x]", "f:1: expected a number or a range");
  expect_refused(parse, "a[3-1]", "f:1: expected a range that rises");
  expect_refused(parse, "a[]", "f:1: expected a number or a range");
  expect_refused(parse, "a,,b", "has an empty name");
  expect_refused(parse, "a[0-9999]b[0-9999]", "more than 65536 names");
  expect_refused(parse, "a[0-99999]", "more than 65536 names");
  expect_refused(parse, "a[0-49999,0-49999]", "more than 65536 names");
  expect_refused(parse, std::string(250, 'a') + "[0-9999]", "f:1: expected names of at most 253 characters");
}

SiteFabric parse_slurm(const std::string& text) { return parse_slurm_topology(text, "topology.conf"); }

TEST(SlurmTopology, BecomesATreeWhoseUplinksCarryAllHostsBelow) {
  const SiteFabric fabric = parse_slurm(
      "# a remark\nSwitchName=s0 Nodes=dev[0-2]\nswitchname=s1 nodes=dev[3-4] LinkSpeed=9\n"
      "SwitchName=s2 \\\n  Switches=s[0-1] # more\n");
  EXPECT_EQ(fabric.names, (Names{"dev0", "dev1", "dev2", "dev3", "dev4", "s0", "s1", "s2"}));
  EXPECT_EQ(fabric.topology.tiers(), 3U);
  EXPECT_EQ(fabric.topology.leaf_of(4), 6U);
  EXPECT_DOUBLE_EQ(fabric.topology.capacity(fabric.topology.first_up(5)), 3 * LinkSpeed{}.goodput());
}

TEST(SlurmTopology, RefusesWithFileAndLine) {
  expect_refused(parse_slurm, "", "topology.conf: names no switch");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a\nSwitchName=s0 Nodes=b\n",
                 "topology.conf:2: switch 's0' has a line already");
  expect_refused(parse_slurm, "SwitchName=s0\n", "topology.conf: names no host");
  expect_refused(parse_slurm, "SwitchName=s0 Hosts=a\n",
                 "topology.conf:1: expected SwitchName, Nodes, Switches");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s0 Nodes=b\n",
                 "topology.conf:2: expected either Nodes or Switches below switch 's1', for node 'b'");
  expect_refused(parse_slurm, "include other.conf\n",
                 "topology.conf:1: include: expected a text that holds 'other.conf' too");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=\"a\n", "topology.conf:1: expected Key=value");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes\n", "topology.conf:1: expected Key=value, got 'Nodes'");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s9\n",
                 "topology.conf:2: there is no line of switch 's9'");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s2\nSwitchName=s2 Switches=s1\n",
                 "is below itself");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a[0-49999]\nSwitchName=s1 Nodes=b[0-49999]\n",
                 "topology.conf:2: expected at most 65536 nodes and switches in all");
}

TEST(SlurmTopology, TakesWhatSlurmctldTakes) {
  const SiteFabric plain = parse_slurm("SwitchName=l1 Nodes=n[1-4]\nSwitchName=s1 Switches=l1\n");
  for (const char* same :
       {"SwitchName = l1 Nodes = n[1-4]\nSwitchName=s1 Switches=\"l1\"\n",
        "switchname=l1 NODES=n[1-2],,n3,n4, LinkSpeed=7\nSwitchName=s1 Switches=l1,\n",
        "SwitchName=l1 Nodes=\"n[1-2] n3, n4\"\r\n\tSwitchName=s1\tSwitches=l1 # above\n"}) {
    const SiteFabric fabric = parse_slurm(same);
    EXPECT_EQ(fabric.names, plain.names) << same;
    EXPECT_EQ(fabric.assumed, plain.assumed) << same;
  }
  const SiteFabric twice = parse_slurm("SwitchName=l1 Nodes=n1,n1,n2\nSwitchName=s1 Switches=l1,l1\n");
  EXPECT_EQ(twice.topology.links(), 2U * 3U);
  EXPECT_EQ(twice.assumed[1], "topology.conf:1: 'n1' is named twice: counted once");
}

TEST(SlurmTopology, HasSeveralSwitchesAboveALeafAndSeveralLeavesAboveANode) {
  const SiteFabric fabric = parse_slurm(
      "SwitchName=l1 Nodes=n[1-2]\nSwitchName=l2 Nodes=n[2-4]\nSwitchName=s1 Switches=l[1-2]\n"
      "SwitchName=s2 Switches=l[1-2]\n");
  EXPECT_EQ(fabric.names, (Names{"n1", "n2 l1", "n2 l2", "n3", "n4", "l1", "l2", "s1", "s2"}));
  EXPECT_EQ(fabric.topology.links(), 2U * 9U);
  EXPECT_EQ(fabric.assumed[1], "nodes below several leaves, with a port at each: 1");
}

TEST(SlurmTopology, TakesBranchesOfUnlikeDepth) {
  const SiteFabric fabric = parse_slurm(
      "SwitchName=l1 Nodes=n1\nSwitchName=l2 Nodes=n[2-3]\nSwitchName=mid Switches=l1\n"
      "SwitchName=core Switches=mid,l2\n");
  EXPECT_THAT(fabric.names, testing::UnorderedElementsAre("n1", "n2", "n3", "l1", "l2", "mid", "core"));
  EXPECT_EQ(fabric.topology.links(), 2U * 6U);
}

TEST(SlurmTopology, TakesWhatScontrolShows) {
  const SiteFabric fabric = parse_slurm(
      "SwitchName=l1 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=l2 Level=0 LinkSpeed=1 Nodes=n[3-4]\n"
      "SwitchName=s1 Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=l[1-2]\n");
  EXPECT_EQ(fabric.topology.hosts(), 4U);
  EXPECT_EQ(fabric.topology.links(), 2U * 6U);
}

TEST(SlurmTopology, LeavesOutSwitchesWithNothingBelow) {
  const SiteFabric fabric =
      parse_slurm("SwitchName=l1 Nodes=n1\nSwitchName=unknown\nSwitchName=s1 Switches=l1,unknown\n");
  EXPECT_EQ(fabric.names, (Names{"n1", "l1", "s1"}));
  EXPECT_EQ(fabric.assumed[1], "topology.conf:2: switch 'unknown' has nothing below it: left out");
}

TEST(SlurmTopology, TakesBlocksForLeaves) {
  const SiteFabric fabric =
      parse_slurm("BlockName=b1 Nodes=n[1-2]\nBlockName=b2 Nodes=n[3-4]\nBlockSizes=2,4\n");
  EXPECT_EQ(fabric.names, (Names{"n1", "n2", "n3", "n4", "b1", "b2"}));
  EXPECT_EQ(fabric.assumed[0],
            "topology.conf names nothing above its blocks, each of which is a leaf: no path joins them");
}

TEST(SlurmTopology, ReadsFilesThatItIncludes) {
  const std::string folder = testing::TempDir() + "slurm_" + std::to_string(getpid());
  std::filesystem::create_directories(folder + "/leaves");
  std::ofstream(folder + "/topology.conf") << "INCLUDE leaves/one.conf\nSwitchName=s1 Switches=l1\n";
  std::ofstream(folder + "/leaves/one.conf") << "SwitchName=l1 Nodes=n1\n";
  EXPECT_EQ(read_slurm_topology(folder + "/topology.conf").names, (Names{"n1", "l1", "s1"}));
  std::ofstream(folder + "/topology.conf") << "include topology.conf\n";
  expect_refused([](const std::string& file) { read_slurm_topology(file); }, folder + "/topology.conf",
                 "expected at most 64 included files");
  std::filesystem::remove_all(folder);
}

const std::string yaml_tree =
    "---\n# two\n- topology: other\n  cluster_default: false\n  block:\n    block_sizes: [2, 4]\n    "
    "blocks:\n"
    "      - block: b1\n        nodes: x[1-2]\n"
    "- topology: default\n  cluster_default: true\n  tree:\n    switches:\n    - switch: top\n      "
    "children: \"s[1-2]\"\n"
    "    - nodes: n[1-2]  # first\n      switch: 's1'\n    - switch: s2\n      nodes: n3\n";

TEST(SlurmTopology, ReadsYaml) {
  const SiteFabric fabric = parse_slurm(yaml_tree);
  EXPECT_EQ(fabric.names, (Names{"n1", "n2", "n3", "s1", "s2", "top"}));
  EXPECT_EQ(fabric.assumed[1], "topology 'other' is left out: 'default' is read");
  EXPECT_EQ(parse_slurm("- topology: b\n  block:\n    block_sizes:\n    - 2\n    blocks:\n    - block: b1\n  "
                        "    nodes: n1\n")
                .names,
            (Names{"n1", "b1"}));
}

TEST(SlurmTopology, RefusesOtherYamlWithItsLine) {
  expect_refused(parse_slurm, "- topology: a\n  flat: true\n", "topology.conf: names no switch");
  expect_refused(parse_slurm, "- topology: a\n  ring:\n",
                 "topology.conf:2: expected topology, cluster_default");
  expect_refused(parse_slurm, "- topology: &x a\n", "topology.conf:1: expected a plain word");
  expect_refused(parse_slurm, "- topology: a\n\ttree:\n", "topology.conf:2: expected blanks, got a tab");
  expect_refused(parse_slurm, "- topology: a\n  tree:\n    switches:\n    - nodes: n1\n",
                 "topology.conf:4: expected 'switch: NAME'");
}

}  // namespace
}  // namespace assay::model::fabric::site
