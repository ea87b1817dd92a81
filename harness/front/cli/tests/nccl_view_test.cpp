// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NCCL's dump of a made-up node of two GPUs and two adapters, compared with a made-up machine.
#include "harness/front/cli/output/nccl_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

namespace site = model::fabric::site;
using testing::ElementsAre;
using testing::HasSubstr;

site::NcclNode nccl_node() {
  site::NcclNode node;
  for (const char* name : {"mlx5_0", "mlx5_1"})
    node.nics.push_back({.name = name, .gbit_per_s = 400, .device = node.nics.size(), .gpudirect = true});
  for (const char* bus_id : {"0000:1B:00.0", "0000:2b:00.0"}) {
    const std::size_t at = node.gpus.size();
    node.gpus.push_back({.device = at,
                         .bus_id = bus_id,
                         .nearest = {at},
                         .distance = 1,
                         .nvlinks = 18,
                         .link_gt_per_s = 32,
                         .link_width = 16,
                         .numa = 0});
  }
  return node;
}

machine::Machine our_machine() {
  machine::Machine ours;
  for (const char* address : {"0000:1b:00.0", "0000:2b:00.0"}) {
    machine::Gpu& gpu = ours.gpus.emplace_back();
    gpu.pcie.address = address;
    gpu.pcie.speed_gt_per_s = 2.5;  // idle
    gpu.pcie.max_speed_gt_per_s = 32;
    gpu.pcie.width = 16;
    gpu.pcie.numa_node = 0;
    gpu.nvlinks_active = 18;
  }
  for (const char* address : {"0000:1a:00.0", "0000:2a:00.0"}) {
    machine::Hca hca;
    hca.device = "mlx5_" + std::to_string(ours.hcas.size());
    hca.state = "4: ACTIVE";
    hca.rate = "400 Gb/sec (4X NDR)";
    hca.pcie.address = address;
    ours.hcas.push_back(hca);
  }
  for (const auto& [gpu, hca, distance] :
       {std::tuple("0000:1b:00.0", "0000:1a:00.0", "PIX"), std::tuple("0000:1b:00.0", "0000:2a:00.0", "SYS"),
        std::tuple("0000:2b:00.0", "0000:1a:00.0", "SYS"), std::tuple("0000:2b:00.0", "0000:2a:00.0", "PIX")})
    ours.distances.push_back({gpu, hca, distance});
  return ours;
}

std::vector<std::string> lines_of(const site::NcclNode& nccl, const machine::Machine& ours,
                                  const std::vector<site::NcclGraph>& graphs = {}) {
  std::vector<std::string> lines;
  for (const ViewDifference& one : view_differences(nccl, graphs, ours))
    lines.push_back(one.of + ", " + one.what + ": " + one.nccl + " | " + one.ours);
  return lines;
}

TEST(NcclView, OfTheSameNodeHasNoDifference) {
  const site::NcclGraph ring{.id = 0,
                             .pattern = "ring",
                             .type_intra = "NVL",
                             .type_inter = "PIX",
                             .channels = {{.enters_by = 1, .gpus = {1, 0}}}};
  EXPECT_THAT(lines_of(nccl_node(), our_machine(), {ring}), ElementsAre());
}

TEST(NcclView, NamesLinksThatTrainedNarrowerAndNvlinksThatAreDown) {
  machine::Machine ours = our_machine();
  ours.gpus[0].pcie.width = 8;
  ours.gpus[1].nvlinks_active = 17;
  ours.gpus[1].pcie.numa_node = 1;
  EXPECT_THAT(lines_of(nccl_node(), ours),
              ElementsAre("GPU 0000:1B:00.0, PCIe width: x16 | x8", "GPU 0000:2b:00.0, NUMA node: 0 | 1",
                          "GPU 0000:2b:00.0, NVLinks: 18 | 17"));
}

TEST(NcclView, NamesWhatOnlyOneSideHas) {
  site::NcclNode nccl = nccl_node();
  nccl.gpus.pop_back();
  nccl.nics[1].name = "eth0";
  EXPECT_THAT(lines_of(nccl, our_machine()), ElementsAre("GPU 0000:2b:00.0, GPU: not there | there",
                                                         "eth0:1, adapter: there | no RDMA port of that name",
                                                         "mlx5_1:1, adapter: not there | there, active"));
}

TEST(NcclView, NamesAdaptersThatRunSlowerOrPastTheGpu) {
  site::NcclNode nccl = nccl_node();
  nccl.nics[0].gbit_per_s = 200;
  nccl.nics[1].gpudirect = false;
  nccl.gpus[0].nearest = {0, 1};
  EXPECT_THAT(lines_of(nccl, our_machine()),
              ElementsAre("GPU 0000:1B:00.0, nearest adapters: mlx5_0 mlx5_1 | mlx5_0",
                          "mlx5_0:1, rate: 200 Gbit/s | 400 Gbit/s",
                          "mlx5_1:1, GPUDirect RDMA: off | GPUs and an RDMA port"));
}

TEST(NcclView, NamesChannelsThatEnterByAFartherAdapterAndLeaveNvlinkUnused) {
  const site::NcclGraph ring{.id = 0,
                             .pattern = "ring",
                             .type_intra = "PHB",
                             .type_inter = "SYS",
                             .channels = {{.enters_by = 0, .gpus = {1, 0}}, {.enters_by = 7, .gpus = {0}}}};
  EXPECT_THAT(lines_of(nccl_node(), our_machine(), {ring}),
              ElementsAre("graph 0 (ring), between GPUs: PHB | NVLink",
                          "graph 0 (ring) channel 0, adapter of GPU 0000:2b:00.0: mlx5_0 | mlx5_1",
                          "graph 0 (ring) channel 1, adapter and GPU: 7 and 0 | not in NCCL's topology"));
}

TEST(NcclView, SaysNothingOfWhatEitherSideDoesNotKnow) {
  machine::Machine ours = our_machine();
  ours.distances.clear();
  for (machine::Gpu& gpu : ours.gpus) {
    gpu.pcie.width = 0;
    gpu.pcie.numa_node = -1;
    gpu.nvlinks_active.reset();
  }
  site::NcclNode nccl = nccl_node();
  for (site::NcclGpu& gpu : nccl.gpus) gpu.link_gt_per_s = 0;
  EXPECT_THAT(lines_of(nccl, ours), ElementsAre());
}

TEST(NcclView, KnowsTheSecondFunctionOfACardByItsPort) {
  machine::Machine ours = our_machine();
  site::NcclNode nccl = nccl_node();
  ours.hcas[1].pcie.address = "0000:1a:00.1";
  for (machine::Distance& one : ours.distances)
    if (one.to == "0000:2a:00.0")
      one = {one.from, "0000:1a:00.1", one.from == "0000:1b:00.0" ? "PIX" : "SYS"};
  for (site::NcclGpu& gpu : nccl.gpus) gpu.nearest = {0, 1};
  nccl.nics[1].port = 2;
  EXPECT_THAT(lines_of(nccl, ours), ElementsAre());
  nccl.nics[1].port = 3;
  EXPECT_THAT(lines_of(nccl, ours),
              testing::Contains("mlx5_1:3, adapter: there | no RDMA port of that name"));
}

TEST(NcclView, KnowsBothPortsOfOneFunction) {
  machine::Machine ours = our_machine();
  ours.distances.clear();
  ours.hcas[1] = ours.hcas[0];
  ours.hcas[1].port = 2;
  site::NcclNode nccl = nccl_node();
  nccl.nics[1].name = "mlx5_0";
  nccl.nics[1].port = 3;  // two, and one port before it
  EXPECT_THAT(lines_of(nccl, ours), ElementsAre());
}

TEST(NcclView, KnowsJoinedPortsAndDataDirect) {
  machine::Machine ours = our_machine();
  site::NcclNode joined = nccl_node();
  joined.nics = {{.name = "mlx5_0+mlx5_1", .gbit_per_s = 800}};
  for (site::NcclGpu& gpu : joined.gpus) gpu.nearest = {0};
  ours.distances.clear();
  EXPECT_THAT(lines_of(joined, ours), ElementsAre());
  site::NcclNode direct = nccl_node();
  for (site::NcclNic& nic : direct.nics) nic.name += "_dma";
  std::swap(direct.gpus[0].nearest, direct.gpus[1].nearest);
  EXPECT_THAT(lines_of(direct, our_machine()), ElementsAre());
}

TEST(NcclView, TakesALowerSpeedForThatOfAnIdleGpu) {
  site::NcclNode nccl = nccl_node();
  nccl.gpus[0].link_gt_per_s = 2.5;
  EXPECT_THAT(lines_of(nccl, our_machine()), ElementsAre());
  nccl.gpus[0].link_gt_per_s = 64;
  EXPECT_THAT(lines_of(nccl, our_machine()), ElementsAre("GPU 0000:1B:00.0, PCIe speed: 64 GT/s | 32 GT/s"));
}

TEST(NcclView, OfADomainIsThatOfTheHostThatDiffersLeast) {
  std::vector<site::NcclNode> hosts{nccl_node(), nccl_node()};
  hosts[0].gpus[0].link_width = 8;
  hosts[1].host_hash = "0xcd";
  for (site::NcclGpu& gpu : hosts[1].gpus) gpu.device += std::uint64_t{1} << 56U;
  const View view = best_view(hosts, {}, our_machine());
  EXPECT_TRUE(view.differences.empty());
  EXPECT_THAT(view_table(view, our_machine()).notes,
              testing::Contains("The file has 2 hosts; compared is 0xcd, which differs least."));
}

TEST(MachineCommand, ReadsAFolderAndATableOfGpusInPlaceOfThisNode) {
  const std::string examples = std::string(ASSAY_SOURCE_DIR) + "/model/examples",
                    node = "machine --root node --gpus node/gpus.json";
  const tests::Said differences = tests::assay_in(examples, node + " --nccl-topology node/nccl-topology.xml");
  EXPECT_EQ(differences.exit_code, 1) << differences.text;
  EXPECT_THAT(differences.text, HasSubstr(": 1 difference\n"));
  EXPECT_THAT(differences.text, testing::ContainsRegex("GPU 0000:23:00.0 +PCIe width +x16 +x8"));
  EXPECT_THAT(tests::assay_in(examples, node).text, HasSubstr("NVIDIA H100 80GB HBM3"));
  EXPECT_THAT(tests::assay_in(examples, "machine --root node").text,
              HasSubstr("no table of its GPUs (--gpus)"));
  const tests::Said alone = tests::assay_in(examples, "machine --gpus node/gpus.json");
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.text, HasSubstr("--gpus requires --root"));
}

TEST(MachineCommand, ComparesADumpWithThisNodeAndEndsWithOne) {
  const std::string file =
      std::filesystem::temp_directory_path() / ("nccl-" + std::to_string(getpid()) + ".xml");
  std::ofstream(file) << "<system><cpu><pci busid=\"ffff:00:00.0\"><gpu dev=\"0\"/></pci></cpu></system>";
  const tests::Said said = tests::assay_in("/", "machine --nccl-topology " + file + " --format json");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("GPU ffff:00:00.0"));
  const tests::Said picture = tests::assay_in("/", "machine --format svg --nccl-topology " + file);
  EXPECT_EQ(picture.exit_code, 2);
  EXPECT_THAT(picture.text, HasSubstr("--nccl-topology: expected --format text or json, got svg"));
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace assay::cli
