// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Timings made of known links and rates go out as each tool's files; the tool's formula, written down here
// once more from its documentation, must give the timings back from the numbers in the file. Where units are
// a trap, the number itself is held against a literal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/exporters/exported.hpp"
#include "model/exporters/tests/made_timings.hpp"

namespace assay::model::exporters {
namespace {

using core::tests::message_of;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

double yaml_number(const std::string& text, const std::string& key) {
  const std::string line = text.substr(text.find(key) + key.size());
  return std::stod(line.substr(line.find_first_of("0123456789")));
}

class Exporters : public testing::Test {
 protected:
  std::string base(const std::string& text) const { return folder_.file("base", text); }
  core::tests::TemporaryFolder folder_;
};

TEST_F(Exporters, AstraSimGivesTheTimesBackThroughItsSwitchAndRing) {
  const CsvSource rows = ring({"all_reduce", "all_gather", "reduce_scatter"});
  const Exported made = made_by("astra-sim", {.collectives = rows});
  ASSERT_EQ(made.files[0].suffix, ".network.yml");
  const std::string& yaml = made.files[0].text;
  EXPECT_THAT(yaml, HasSubstr("\ntopology: [ Switch ]\nnpus_count: [ 8 ]\n"));
  const double gib_per_s = yaml_number(yaml, "\nbandwidth: ["), hop_ns = yaml_number(yaml, "\nlatency: [");
  for (int power = least_power; power <= most_power; ++power) {
    const double bytes = std::exp2(power), message_ns = 2 * hop_ns + bytes / 8 / (gib_per_s * gib / 1e9);
    EXPECT_NEAR(14 * message_ns * 1e-3, ring_us("all_reduce", bytes), 1e-3 * ring_us("all_reduce", bytes));
    EXPECT_NEAR(7 * message_ns * 1e-3, ring_us("all_gather", bytes), 1e-3 * ring_us("all_gather", bytes));
  }
  EXPECT_LT(made.fits[0].second.held_out.whole().mape_percent, 0.1);
}

// GB are 2^30 bytes (7.4 % off otherwise), latency is ns and of one of two hops (2 x otherwise).
TEST_F(Exporters, AstraSimCountsBinaryGigabytesAndHalfAStepInNanoseconds) {
  const Exported made = made_by("astra-sim", {.collectives = ring({"all_reduce", "all_gather"})});
  EXPECT_NEAR(yaml_number(made.files[0].text, "\nbandwidth: ["), 186.26, 0.05);
  EXPECT_NEAR(yaml_number(made.files[0].text, "\nlatency: ["), 500, 0.5);
}

// The roofline's GB are 10^9 bytes again.
TEST_F(Exporters, AstraSimRooflineIsDecimal) {
  const Exported made = made_by("astra-sim", {.gemm = gemms(), .collectives = ring({"all_reduce"})});
  const auto system = core::json_from<nlohmann::json>(made.files[1].text);
  EXPECT_NEAR(system["peak-perf"].get<double>(), 500, 1);
  EXPECT_NEAR(system["local-mem-bw"].get<double>(), 2000, 5);
  EXPECT_EQ(system["roofline-enabled"], 1);
  EXPECT_EQ(system["all-reduce-implementation"][0], "ring");
  const Exported none = made_by("astra-sim", {.collectives = ring({"all_reduce"})});
  EXPECT_EQ(core::json_from<nlohmann::json>(none.files[1].text)["roofline-enabled"], 0);
}

TEST_F(Exporters, GenzGivesTheTimesBackThroughItsFormulas) {
  const Exported made = made_by("genz", {.gemm = gemms(),
                                         .collectives = ring({"all_reduce", "all_gather", "all_to_all"}, 5),
                                         .base = base(genz_base)});
  const auto system = core::json_from<nlohmann::json>(made.files[0].text);
  const double icn = system["ICN"].get<double>() * gib, link_s = system["ICN_LL"].get<double>() * 1e-6;
  for (int power = least_power; power <= most_power; ++power) {
    const double bytes = std::exp2(power), measured_us = ring_us("all_reduce", bytes, 5);
    EXPECT_NEAR((5e-6 + 14 * link_s + 14 * (bytes / 8) / icn) * 1e6, measured_us, 1e-3 * measured_us);
  }
  const double flops = system["Flops"].get<double>() * 1e12, memory = system["Memory_BW"].get<double>() * gib;
  for (const double m : {16, 1024, 8192}) {
    const double macs = m * 2048 * 4096, elements = m * 2048 + m * 4096 + 2048 * 4096;
    EXPECT_NEAR(std::max(macs / (flops / 2), elements * 2 / memory) * 1e6, gemm_us(m, 2048, 4096),
                5e-3 * gemm_us(m, 2048, 4096));
  }
  EXPECT_EQ(system["Memory_size"], 80);
}

// Bandwidths are of 2^30 bytes while Flops are of 10^12, ICN_LL is in us, and 5 us are the tool's own.
TEST_F(Exporters, GenzCountsBandwidthInBinaryGigabytesAndLatencyInMicroseconds) {
  const auto system = core::json_from<nlohmann::json>(
      made_by("genz", {.gemm = gemms(), .collectives = ring({"all_reduce"}, 5), .base = base(genz_base)})
          .files[0]
          .text);
  EXPECT_NEAR(system["ICN"].get<double>(), 186.26, 0.1);
  EXPECT_NEAR(system["Memory_BW"].get<double>(), 1862.6, 5);
  EXPECT_NEAR(system["Flops"].get<double>(), 500, 1);
  EXPECT_NEAR(system["ICN_LL"].get<double>(), 1, 0.01);
}

// Its Flops are of bf16; an fp8 product takes half the time there, so half of fp8's rate belongs in it.
TEST_F(Exporters, GenzFlopsAreOfBf16WhateverTheDtype) {
  const auto flops = [&](const char* dtype) {
    const Exported made = made_by(
        "genz", {.gemm = gemms(dtype), .collectives = ring({"all_reduce"}, 5), .base = base(genz_base)});
    return core::json_from<nlohmann::json>(made.files[0].text)["Flops"].get<double>();
  };
  EXPECT_NEAR(flops("fp8_e4m3"), 250, 2);
  EXPECT_NEAR(flops("fp32"), 1000, 10);
}

// 10^9 bytes, seconds, and bytes that the ring moves, not the buffer's.
TEST_F(Exporters, LlmAnalysisGivesTheTimesBackAsTheLongerOfFloorAndBandwidth) {
  const Exported made =
      made_by("llm-analysis", {.collectives = CsvSource("made", floored()), .base = base(llm_base)});
  const auto gpu = core::json_from<nlohmann::json>(made.files[0].text);
  const double bandwidth = gpu["intra_node_bandwidth_in_GB_per_sec"],
               floor_s = gpu["intra_node_min_message_latency"];
  EXPECT_NEAR(bandwidth, 200, 0.2);
  EXPECT_NEAR(floor_s, 12e-6, 1e-8);
  for (int power = 10; power <= 29; ++power) {
    const double predicted_s = std::max(1.75 * std::exp2(power) / (bandwidth * 1e9), floor_s);
    EXPECT_NEAR(predicted_s * 1e6, std::max(12.0, 1.75 * std::exp2(power) / 200e9 * 1e6),
                1e-2 * predicted_s * 1e6);
  }
  EXPECT_EQ(gpu["peak_fp16_TFLOPS"], 989);
}

TEST_F(Exporters, LlmAnalysisGetsEfficienciesAsArguments) {
  const Exported made = made_by(
      "llm-analysis", {.gemm = gemms(), .collectives = CsvSource("made", floored()), .base = base(llm_base)});
  EXPECT_THAT(made.notes, Contains(HasSubstr("--flops_efficiency=0.50")));
  EXPECT_THAT(made.notes, Contains(HasSubstr("--hbm_memory_efficiency=0.59")));
}

// The trap of its own H100 file: per node against per GPU.
TEST_F(Exporters, LlmAnalysisLeavesTheInterNodeBandwidthAndSaysWhose) {
  const Exported made =
      made_by("llm-analysis", {.collectives = CsvSource("made", floored()), .base = base(llm_base)});
  EXPECT_EQ(core::json_from<nlohmann::json>(made.files[0].text)["inter_node_bandwidth_in_GB_per_sec"], 400);
  EXPECT_THAT(made.notes, Contains(HasSubstr("so one GPU's share belongs there, not a node's")));
}

/// all_reduce of 8 at 300e9 bytes/s of the bus, and of 16 and 32 at 180e9 and 160e9, from 1 KiB to 1 GiB.
CsvSource servers() {
  std::string text = columns;
  for (const auto& [ranks, b_per_s] : {std::pair(8.0, 300e9), {16.0, 180e9}, {32.0, 160e9}})
    for (int power = 10; power <= 30; ++power)
      text += fmt::format("all_reduce,{},{:.0f},fp16,{:.9g}\n", ranks, std::exp2(power),
                          2 * (ranks - 1) / ranks * std::exp2(power) / b_per_s * 1e6);
  return {"servers", text};
}

double argument(const Exported& made, const std::string& flag) {
  const std::string& text = made.files.at(0).text;
  return std::stod(text.substr(text.find(flag + " ") + flag.size()));
}

TEST_F(Exporters, SimaiGivesTheTimesBackFromItsArguments) {
  const Exported made = made_by("simai", {.collectives = servers(), .ranks = 8});
  EXPECT_THAT(made.files[0].text, testing::StartsWith("-g_p_s 8 -nv "));
  EXPECT_THAT(made.files[0].text, Not(HasSubstr("-nic")));
  const double nv = argument(made, "-nv");
  EXPECT_NEAR(nv, 279.40, 0.05);  // 300e9 bytes/s in 2^30
  for (int power = 20; power <= 30; ++power) {
    const double measured_ns = 1.75 * std::exp2(power) / 300e9 * 1e9;
    EXPECT_NEAR(std::exp2(power) / gib / nv * 1e9 * 2 * 7 / 8.0, measured_ns, 1e-3 * measured_ns);
  }
}

// The program multiplies -nic by -n_p_s and takes that for the bus bandwidth of several servers.
TEST_F(Exporters, SimaiDividesTheBusOfSeveralServersAmongTheirNics) {
  ExportRequest request{.collectives = servers(), .ranks = 16};
  request.own = {{"--gpus-per-server", "8"}, {"--nics-per-server", "4"}};
  const Exported made = made_by("simai", request);
  EXPECT_NEAR(argument(made, "-nv"), 279.40, 0.05);
  EXPECT_NEAR(argument(made, "-nic") * argument(made, "-n_p_s"), 180e9 / gib, 0.05);
  EXPECT_EQ(argument(made, "-n_p_s"), 4);
  request.own["--nics-per-server"] = "0";
  const Exported one = made_by("simai", request);
  EXPECT_THAT(one.files[0].text, Not(HasSubstr("-nic")));
  EXPECT_THAT(one.notes, Contains(HasSubstr("more than 8 ranks are left out")));
}

// 8 ranks on 8 nodes are not the 8 of one server.
TEST_F(Exporters, SimaiTakesOneServerFromRowsWithinANode) {
  std::string text = "op,ranks,nodes,size_bytes,dtype,time_us\n";
  for (const auto& [ranks, nodes, b_per_s] :
       {std::tuple(8.0, 1, 300e9), {8.0, 8, 20e9}, {16.0, 2, 180e9}, {16.0, 16, 20e9}})
    for (int power = 20; power <= 30; ++power)
      text += fmt::format("all_reduce,{},{},{:.0f},fp16,{:.9g}\n", ranks, nodes, std::exp2(power),
                          2 * (ranks - 1) / ranks * std::exp2(power) / b_per_s * 1e6);
  ExportRequest request{.collectives = CsvSource{"servers", text}, .ranks = 16, .nodes = 2};
  request.own = {{"--gpus-per-server", "8"}, {"--nics-per-server", "8"}};
  const Exported made = made_by("simai", request);
  EXPECT_NEAR(argument(made, "-nv"), 279.40, 0.05);
  EXPECT_NEAR(argument(made, "-nic") * 8, 180e9 / gib, 0.05);
}

TEST_F(Exporters, SimaiAsksWhichRanksAreOfOneServerAndWhichOfSeveral) {
  ExportRequest request{.collectives = servers()};
  EXPECT_EQ(message_of([&] { made_by("simai", request); }),
            "servers: all_reduce of 8, 16, 32 ranks: choose one with --gpus-per-server");
  request.own = {{"--gpus-per-server", "8"}, {"--nics-per-server", "4"}};
  EXPECT_EQ(message_of([&] { made_by("simai", request); }),
            "servers: all_reduce of 16, 32 ranks: choose one with --ranks");
  request.own["--gpus-per-server"] = "32";
  EXPECT_EQ(message_of([&] { made_by("simai", request); }),
            "servers: no all_reduce of more than 32 ranks: --nics-per-server needs one");
}

// Sizes that the program prices with constants must not bend the bandwidth.
TEST_F(Exporters, SimaiTakesNothingBelowAMebibyte) {
  const CsvSource slow = ring({"all_reduce"}, 0, "all_reduce,8,512,fp16,99999\n");
  const Exported made = made_by("simai", {.collectives = slow});
  EXPECT_EQ(made.fits[0].second.held_out.by_decade().begin()->first, 6);
}

CsvSource copies() {
  std::string text = "operation,region,size_bytes,time_us\n";
  for (int power = 20; power <= 32; ++power)
    text +=
        fmt::format("cuda.copy,cold,{:.0f},{:.9g}\n", std::exp2(power), 4 + std::exp2(power) / 2.68e12 * 1e6);
  return {"copies", text};
}

// bytes/s and seconds in the file, milliseconds out of the formula.
TEST_F(Exporters, AiconfiguratorGivesMemoryTimesBack) {
  const Exported made = made_by("aiconfigurator", {.memory = copies(), .base = base(aic_base)});
  const std::string& yaml = made.files[0].text;
  const double factor = yaml_number(yaml, "  mem_bw_empirical_scaling_factor:"),
               latency_s = yaml_number(yaml, "  mem_empirical_constant_latency:");
  EXPECT_NEAR(factor, 0.8, 1e-3);
  EXPECT_NEAR(latency_s, 4e-6, 1e-8);
  for (int power = 20; power <= 32; ++power) {
    const double bytes = std::exp2(power), measured_us = 4 + bytes / 2.68e12 * 1e6;
    EXPECT_NEAR((bytes / (3350000000000 * factor) + latency_s) * 1000, measured_us * 1e-3,
                1e-6 * measured_us);
  }
  EXPECT_THAT(yaml, HasSubstr("  mem_capacity: 85899345920\nnode:\n  inter_node_bw: 50000000000\n"));
}

// ms, and elements: 4096 bytes of fp16 are 2048.
TEST_F(Exporters, AiconfiguratorTablesHoldMillisecondsAndElements) {
  const Exported made = made_by(
      "aiconfigurator",
      {.gemm = gemms(), .collectives = ring({"all_reduce"}), .memory = copies(), .base = base(aic_base)});
  EXPECT_EQ(made.files[1].suffix, ".gemm_perf.txt");
  EXPECT_THAT(made.files[1].text,
              HasSubstr(fmt::format(",bfloat16,8192,8192,4096,{:.9g}\n", gemm_us(8192, 8192, 4096) * 1e-3)));
  EXPECT_THAT(made.files[2].text,
              HasSubstr(fmt::format(",half,8,2048,{:.9g}\n", ring_us("all_reduce", 4096) * 1e-3)));
  EXPECT_THAT(message_of([&] {
                made_by("aiconfigurator",
                        {.collectives = CsvSource("odd", std::string(columns) + "all_reduce,8,64,fp32,1\n"),
                         .memory = copies(),
                         .base = base(aic_base)});
              }),
              HasSubstr("odd:2: column 'dtype': aiconfigurator's NCCL table does not know 'fp32'"));
}

TEST_F(Exporters, AiconfiguratorTablesLeaveOutBatchedProducts) {
  ExportRequest request{
      .gemm = CsvSource("mixed", "m,n,k,batch,dtype,time_us\n64,64,64,1,fp16,2\n64,64,32,8,fp16,3\n"),
      .memory = copies(),
      .base = base(aic_base)};
  const std::string table = made_by("aiconfigurator", request).files[1].text;
  EXPECT_THAT(table, HasSubstr(",64,64,64,"));
  EXPECT_THAT(table, testing::Not(HasSubstr(",64,64,32,")));
  request.gemm = CsvSource("batched", "m,n,k,batch,dtype,time_us\n64,64,32,8,fp16,3\n");
  EXPECT_EQ(message_of([&] { made_by("aiconfigurator", request); }),
            "batched: batched products alone; expected GEMMs");
}

TEST_F(Exporters, AiconfiguratorTablesHoldOnlyTheCollectivesThatAreAskedFor) {
  const CsvSource mixed("mixed", std::string(columns) +
                                     "all_reduce,8,64,fp32,1\nall_reduce,8,64,fp16,2\n"
                                     "all_reduce,4,64,fp16,3\n");
  ExportRequest request{
      .collectives = mixed, .memory = copies(), .base = base(aic_base), .ranks = 8, .dtype = "fp16"};
  const std::string table = made_by("aiconfigurator", request).files[1].text;
  EXPECT_EQ(std::ranges::count(table, '\n'), 2) << table;
  EXPECT_THAT(table, HasSubstr(",half,8,32,"));
  request.ranks = 2;
  EXPECT_THAT(message_of([&] { made_by("aiconfigurator", request); }),
              HasSubstr("mixed: no collective matches the request"));
}

}  // namespace
}  // namespace assay::model::exporters
