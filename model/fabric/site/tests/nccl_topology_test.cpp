// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/nccl_topology.hpp"

#include <gtest/gtest.h>

#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

// Two processors; on the first a bridge with a GPU and an adapter, and an adapter of its own.
constexpr const char* two_processors = R"(<?xml version="1.0"?>
<!-- a remark -->
<system version="1">
  <cpu host_hash="0x1" numaid="0" affinity="00ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:17:00.0" class="0x060400" link_speed="32.0 GT/s PCIe" link_width="16">
      <pci busid="0000:18:00.0" class="0x020700" link_speed="32.0 GT/s PCIe" link_width="16">
        <nic>
          <net name="mlx5_0" dev="0" latency="0.000000" speed="400000" port="1" guid="0x1" maxconn="131072" gdr="1"/>
        </nic>
      </pci>
      <pci busid="0000:19:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16">
        <gpu dev="1" sm="90" rank="1" gdr="1">
          <nvlink target="0000:05:00.0" count="4" tclass="0x068000"/>
        </gpu>
      </pci>
    </pci>
    <nic>
      <net name="mlx5_9" dev="2" speed="25000" port="2" guid="0x3" gdr="0"/>
    </nic>
  </cpu>
  <cpu numaid="1" affinity="ff00" arch="x86_64" vendor="GenuineIntel">
    <pci busid="0000:99:00.0" class="0x030200" link_speed="" link_width="16">
      <gpu dev="0" sm="90" rank="0" gdr="1"/>
    </pci>
  </cpu>
</system>
)";

std::vector<NcclNode> parse_nccl(const std::string& text) { return parse_nccl_topology(text, "topo.xml"); }

TEST(NcclTopology, FindsTheNearestAdaptersOfEachGpu) {
  const std::vector<NcclNode> nodes = parse_nccl(two_processors);
  ASSERT_EQ(nodes.size(), 1U);
  const NcclNode& node = nodes.front();
  EXPECT_EQ(node.host_hash, "0x1");
  ASSERT_EQ(node.gpus.size(), 2U);
  ASSERT_EQ(node.nics.size(), 2U);
  EXPECT_EQ(node.nics[0].name, "mlx5_0");
  EXPECT_DOUBLE_EQ(node.nics[0].gbit_per_s, 400);
  EXPECT_EQ(node.nics[1].port, 2U);
  EXPECT_EQ(node.gpus[0].bus_id, "0000:99:00.0");
  EXPECT_EQ(node.gpus[0].nearest, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(node.gpus[0].distance, 2U);
  EXPECT_EQ(node.gpus[1].nearest, (std::vector<std::size_t>{0}));
  EXPECT_EQ(node.gpus[1].distance, 1U);
  EXPECT_EQ(node.gpus[1].nvlinks, 4U);
  EXPECT_DOUBLE_EQ(node.gpus[1].link_gt_per_s, 32);
  EXPECT_EQ(node.gpus[1].link_width, 16U);
  EXPECT_EQ(node.gpus[1].numa, 0U);
  EXPECT_DOUBLE_EQ(node.gpus[0].link_gt_per_s, 0) << "an empty word";
  EXPECT_EQ(node.nics[1].device, 2U);
  EXPECT_EQ(node.nics[1].gpudirect, false);
}

// Two hosts of an NVLink domain: each has GPU 0 and adapter 0, in single quotation marks.
constexpr const char* domain = R"(<system version='1'>
  <cpu host_hash='0xab' numaid='0'>
    <pci busid='0000:01:00.0' link_width='16'><gpu dev='0' rank='0'/></pci>
    <nic><net name='mlx5_0' dev='0' speed='-1' rail='2' plane='0' latency='1' gdr='1'/></nic>
  </cpu>
  <cpu host_hash='0xcd' numaid='-1'>
    <pci busid='0000:01:00.0' link_width='8'><gpu dev='0' rank='1'/></pci>
    <nic><net name='mlx5_1' dev='0x3' speed='400000' port='2'/></nic>
  </cpu>
  <cpu host_hash='0xab' numaid='1'>
    <pci busid='0000:99:00.0' link_width='16'><gpu dev='1' rank='2'/></pci>
  </cpu>
</system>
)";

TEST(NcclTopology, KeepsTheHostsOfADomainApart) {
  const std::vector<NcclNode> nodes = parse_nccl(domain);
  ASSERT_EQ(nodes.size(), 2U);
  ASSERT_EQ(nodes[0].gpus.size(), 2U);
  EXPECT_EQ(nodes[0].nics.size(), 1U);
  EXPECT_EQ(nodes[0].nics[0].gbit_per_s, 0);
  EXPECT_EQ(nodes[0].gpus[1].nearest, std::vector<std::size_t>{0});
  EXPECT_EQ(nodes[1].host_hash, "0xcd");
  EXPECT_EQ(nodes[1].gpus[0].device, 0x100000000000000U);
  EXPECT_EQ(nodes[1].gpus[0].numa, std::nullopt);
  EXPECT_EQ(nodes[1].nics[0].device, 0x100000000000003U);
}

TEST(NcclTopology, RefusesWithFileAndLine) {
  expect_refused(parse_nccl, "", "topo.xml:1: expected an element");
  expect_refused(parse_nccl, "<graphs/>", "topo.xml:1: expected NCCL's topology");
  expect_refused(parse_nccl, "<system/>", "topo.xml: names no GPU");
  expect_refused(parse_nccl, "<system>\n<cpu>\n</system>", "topo.xml:3: 'system' ends but has not begun");
  expect_refused(parse_nccl, "<system>\n<cpu", "topo.xml:2: expected '>'");
  expect_refused(parse_nccl, "<system a=\"1\" a=\"2\"/>", "topo.xml:1: 'a' is given twice");
  expect_refused(parse_nccl, "<system a=1/>", "topo.xml:1: expected '\"'");
  expect_refused(parse_nccl, "<system a='1\"/>", "topo.xml:1: expected ''' after a value");
  expect_refused(parse_nccl, "<system>text</system>", "topo.xml:1: expected an element");
  expect_refused(parse_nccl, "<!DOCTYPE x><system/>", "topo.xml:1: expected an element");
  expect_refused(parse_nccl, "<system/><system/>", "topo.xml:1: expected one outermost element");
  expect_refused(parse_nccl, "<system>\n<pci><gpu dev=\"x\"/></pci></system>",
                 "topo.xml:2: gpu.dev: expected a whole number, got 'x'");
}

}  // namespace
}  // namespace assay::model::fabric::site
