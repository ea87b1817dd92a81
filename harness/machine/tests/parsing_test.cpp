// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/cpu_list.hpp"
#include "harness/machine/readable.hpp"
#include "harness/machine/tests/fake_node.hpp"
#include "harness/machine/topology/distances.hpp"
#include "harness/machine/topology/svg_writer.hpp"
#include "harness/machine/tree.hpp"

namespace assay::machine {
namespace {

using testing::ElementsAre;

TEST(CpuList, RangesAndNumbersAreRead) {
  EXPECT_THAT(*parse_cpu_list("0-3,8,10-11"), ElementsAre(0, 1, 2, 3, 8, 10, 11));
  EXPECT_THAT(*parse_cpu_list(""), ElementsAre());
}

TEST(CpuList, WhatIsNoListIsRefused) {
  for (const char* text : {"a", "1-", "-1", "3-1", "1,,2", "1,", "1;2", "99999999999", "0-99999"})
    EXPECT_FALSE(parse_cpu_list(text)) << text;
}

TEST(CpuList, IsWrittenInItsShortestForm) {
  EXPECT_EQ(format_cpu_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
  EXPECT_EQ(format_cpu_list({5}), "5");
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(Tree, NumbersInNamesAreOrderedByValue) {
  EXPECT_TRUE(naturally_less("mlx5_2", "mlx5_10"));
  EXPECT_FALSE(naturally_less("mlx5_10", "mlx5_2"));
  EXPECT_TRUE(naturally_less("mlx5_1", "mlx5_1_bond"));
  EXPECT_TRUE(naturally_less("eth0", "mlx5_0"));
  EXPECT_FALSE(naturally_less("same", "same"));
}

TEST(Tree, AnAbsentFileAndADirectoryAreEmptyOptionals) {
  FakeNode node;
  node.make_unreadable("/sys/directory");
  node.write("/sys/word", "word\n");
  node.write("/sys/number", " 12\n");
  const Tree tree(node.root());
  EXPECT_FALSE(tree.read("/sys/absent"));
  EXPECT_FALSE(tree.read("/sys/directory"));
  EXPECT_FALSE(tree.read_integer("/sys/word"));
  EXPECT_FALSE(tree.read_integer("/sys/number"));
  EXPECT_EQ(tree.text("/sys/word"), "word");
  EXPECT_EQ(tree.resolve("/sys/absent"), "");
  EXPECT_FALSE(tree.is_this_machine());
}

PcieLink device_at(const std::string& bridge, std::vector<std::string> path, int node) {
  PcieLink link;
  link.host_bridge = bridge;
  link.path = std::move(path);
  link.numa_node = node;
  return link;
}

TEST(Distance, TwoFunctionsOfOneDeviceAreWithinOneBridge) {
  EXPECT_EQ(distance(device_at("pci0000:00", {"r"}, 0), device_at("pci0000:00", {"r"}, 0), 2), "PIX");
}

TEST(Distance, DevicesOnTheRootBusMeetInTheRootComplex) {
  EXPECT_EQ(distance(device_at("pci0000:00", {}, 0), device_at("pci0000:00", {}, 0), 1), "PHB");
}

TEST(Distance, AnUnknownNumaNodeIsNotGuessed) {
  EXPECT_EQ(distance(device_at("pci0000:00", {"r"}, -1), device_at("pci0000:40", {"s"}, 0), 2), "");
  EXPECT_EQ(distance(device_at("pci0000:00", {"r"}, -1), device_at("pci0000:40", {"s"}, -1), 1), "NODE");
  EXPECT_EQ(distance(PcieLink{}, PcieLink{}, 1), "");
}

TEST(Readable, SizesHaveOneDecimalAtMost) {
  EXPECT_EQ(readable_bytes(0), "0 B");
  EXPECT_EQ(readable_bytes(48 * 1024), "48 KiB");
  EXPECT_EQ(readable_bytes(85520809984), "79.6 GiB");
  EXPECT_EQ(readable_bytes(1LL << 41), "2 TiB");
}

TEST(Readable, TextIsWrappedAtBlanks) {
  EXPECT_EQ(wrapped("one two three four", 9, 2), "one two\n  three\n  four");
  EXPECT_EQ(wrapped("unbreakable", 4, 2), "unbreakable");
  EXPECT_EQ(wrapped("", 4, 2), "");
}

TEST(Readable, ATableLeavesOutColumnsThatSayNothing) {
  EXPECT_EQ(table({{"a", "b", "c"}, {"1", "", "long"}, {"22", "", "x"}}), "  a   c\n  1   long\n  22  x\n");
}

TEST(Svg, WordsFromTheMachineCannotBreakThePicture) {
  EXPECT_EQ(xml_escaped("<a & \"b\">\n"), "&lt;a &amp; &quot;b&quot;&gt;");
  EXPECT_EQ(shortened("αβγδ", 3), "αβ…");
  EXPECT_EQ(shortened("αβγ", 3), "αβγ");
}

}  // namespace
}  // namespace assay::machine
