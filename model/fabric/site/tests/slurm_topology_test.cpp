// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/slurm_topology.hpp"

#include <gtest/gtest.h>

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
  expect_refused(parse_slurm, "SwitchName=s0\n", "topology.conf:1: expected either Nodes or Switches");
  expect_refused(parse_slurm, "BlockName=b0 Nodes=a\n",
                 "topology.conf:1: expected SwitchName, Nodes, Switches");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes\n", "topology.conf:1: expected Key=value, got 'Nodes'");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s9\n",
                 "topology.conf:2: there is no line of switch 's9'");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=a\n",
                 "topology.conf:2: 'a' is below another switch already");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a\nSwitchName=s1 Switches=s2\nSwitchName=s2 Switches=s1\n",
                 "is below itself");
  expect_refused(parse_slurm, "SwitchName=s0 Nodes=a[0-49999]\nSwitchName=s1 Nodes=b[0-49999]\n",
                 "topology.conf:2: expected at most 65536 nodes and switches in all");
}

}  // namespace
}  // namespace assay::model::fabric::site
