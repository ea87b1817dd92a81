// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/nccl_graph.hpp"

#include <gtest/gtest.h>

#include "model/fabric/site/tests/refused.hpp"

namespace assay::model::fabric::site {
namespace {

constexpr const char* ring_and_tree = R"(<graphs version="1">
  <graph id="0" pattern="4" crossnic="0" nchannels="2" speedintra="20" speedinter="20" typeintra="NVL" typeinter="PIX">
    <channel>
      <net dev="1"/>
      <gpu dev="1"/>
      <gpu dev="0"/>
      <net dev="1"/>
    </channel>
    <channel>
      <gpu dev="0"/>
      <gpu dev="1"/>
    </channel>
  </graph>
  <graph id="1" pattern="9" typeintra="PHB" typeinter="SYS"/>
</graphs>
)";

std::vector<NcclGraph> parse_graphs(const std::string& text) { return parse_nccl_graphs(text, "graph.xml"); }

TEST(NcclGraphs, TellWhereChannelsEnterAndInWhichOrderTheyGo) {
  const std::vector<NcclGraph> graphs = parse_graphs(ring_and_tree);
  ASSERT_EQ(graphs.size(), 2U);
  EXPECT_EQ(graphs[0].pattern, "ring");
  EXPECT_EQ(graphs[0].type_intra, "NVL");
  EXPECT_EQ(graphs[0].type_inter, "PIX");
  ASSERT_EQ(graphs[0].channels.size(), 2U);
  EXPECT_EQ(graphs[0].channels[0].enters_by, 1U);
  EXPECT_EQ(graphs[0].channels[0].gpus, (std::vector<std::uint64_t>{1, 0}));
  EXPECT_EQ(graphs[0].channels[1].enters_by, std::nullopt);
  EXPECT_EQ(graphs[1].id, 1U);
  EXPECT_EQ(graphs[1].pattern, "pattern 9");
}

TEST(NcclGraphs, HaveDevicesInBase16SinceNccl2Dot21) {
  const auto gpus = [](const std::string& first, const std::string& second) {
    return parse_graphs("<graphs><graph><channel><gpu dev=\"" + first + "\"/><gpu dev='" + second +
                        "'/></channel></graph></graphs>")[0]
        .channels[0]
        .gpus;
  };
  EXPECT_EQ(gpus("0", "0x10"), (std::vector<std::uint64_t>{0, 16}));
  EXPECT_EQ(gpus("10", "0xa"), (std::vector<std::uint64_t>{16, 10}));
  EXPECT_EQ(gpus("10", "11"), (std::vector<std::uint64_t>{10, 11})) << "before 2.21.5";
  EXPECT_EQ(gpus("0xff00000000000007", "0"), (std::vector<std::uint64_t>{0xff00000000000007U, 0}));
  expect_refused(parse_graphs, "<graphs><graph><channel><gpu dev=\"0x\"/></channel></graph></graphs>",
                 "graph.xml:1: gpu.dev: expected a whole number, got '0x'");
}

TEST(NcclGraphs, AreRefusedWithFileAndLine) {
  expect_refused(parse_graphs, "<system/>", "graph.xml:1: expected NCCL's graphs");
  expect_refused(parse_graphs, "<graphs>\n<channel/></graphs>", "graph.xml:2: channel: expected within");
  expect_refused(parse_graphs, "<graphs><graph>\n<gpu/></graph></graphs>",
                 "graph.xml:2: gpu: expected within");
  expect_refused(parse_graphs, "<graphs>\n<graph id=\"x\"/></graphs>",
                 "graph.xml:2: graph.id: expected a whole number, got 'x'");
}

}  // namespace
}  // namespace assay::model::fabric::site
