// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/measured_system.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/predict/read/read.hpp"

namespace assay::model::calculon {
namespace {

using fit::CsvSource;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// 500e12 FLOP/s from 2^32 FLOP on, half of it below, and never faster than 2e12 bytes/s.
std::string gemms(const char* back_end) {
  std::string text = "m,n,k,dtype,layout,time_us\n";
  for (int m = 7; m <= 13; m += 2)
    for (int n = 8; n <= 13; n += 2)
      for (int k = 8; k <= 12; k += 2) {
        const double flop = std::exp2(m + n + k + 1);
        const double bytes = 2 * (std::exp2(m + n) + std::exp2(m + k) + std::exp2(n + k));
        const double s = std::max(flop / (flop >= std::exp2(32) ? 500e12 : 250e12), bytes / 2e12);
        text += fmt::format("{},{},{},bf16,{} TN,{:.9g}\n", 1 << m, 1 << n, 1 << k, back_end, s * 1e6);
      }
  return text;
}

/// 2e12 bytes/s from 16 MiB on, half of it below.
std::string copies(const char* operation, double b_per_s) {
  std::string text = "operation,size_bytes,time_us\n";
  for (int power = 20; power <= 30; ++power)
    text += fmt::format("{},{},{:.9g}\n", operation, 1 << power,
                        std::exp2(power) / (power >= 24 ? b_per_s : b_per_s / 2) * 1e6);
  return text;
}

/// A ring of 4 and of 8 with 2 us once and 100e9 bytes/s of every rank.
std::string rings() {
  std::string text = "op,ranks,size_bytes,dtype,time_us\n";
  for (const int ranks : {4, 8})
    for (int power = 10; power <= 28; power += 2)
      for (const auto& [operation, scalar] : {std::pair("all_reduce", 2.0), {"all_gather", 1.0}})
        text += fmt::format("{},{},{},bf16,{:.9g}\n", operation, ranks, 1 << power,
                            2 + scalar * std::exp2(power) * (ranks - 1) / ranks / 100e3);
  return text;
}

class MeasuredSystemOfGpu : public testing::Test {
 protected:
  MeasuredSystem made() const {
    return measured_system({.gemm = &gemm,
                            .memory = &memory,
                            .links = &links,
                            .collectives = &collective,
                            .capacities = {.host_bytes = 512e9, .gpu_bytes = 80e9}});
  }

  const CsvSource gemm{"g.csv", gemms("cuda")}, memory{"m.csv", copies("cuda.copy", 2e12)},
      links{"l.csv", copies("cuda.copy", 50e9)}, collective{"c.csv", rings()};
};

TEST_F(MeasuredSystemOfGpu, GivesBackTheMachineThatTheTimesAreOf) {
  const MeasuredSystem measured = made();
  const System system = read_system(nlohmann::json(measured.system), "it", Model::assay);
  const Engine& engine = system.matrix_engine(Datatype::bfloat16);
  EXPECT_NEAR(engine.peak_flop_per_s, 500e12, 1e9);
  EXPECT_NEAR(engine.by_flop.seconds(std::exp2(36)), std::exp2(36) / 500e12, 1e-9);
  EXPECT_NEAR(engine.by_flop.seconds(std::exp2(30)), std::exp2(30) / 250e12, 1e-9);
  EXPECT_NEAR(system.mem1.by_bytes.seconds(std::exp2(28)), std::exp2(28) / 2e12, 1e-9);
  EXPECT_NEAR(system.mem1.by_bytes.seconds(std::exp2(21)), std::exp2(21) / 1e12, 1e-9);
  EXPECT_NEAR(system.mem1.capacity_bytes, 80e9, 1);
  EXPECT_NEAR(system.mem2.by_bytes.seconds(std::exp2(28)), std::exp2(28) / 50e9, 1e-6);
  EXPECT_NEAR(system.mem2.capacity_bytes, 512e9, 1);
  ASSERT_EQ(system.networks.size(), 1U);
  EXPECT_EQ(system.networks[0].size, 8);
  for (const double bytes : {std::exp2(12), std::exp2(26)})
    EXPECT_NEAR(system.networks[0].seconds(Collective::all_reduce, bytes, 8) * 1e6,
                2 + 2 * bytes * 7 / 8 / 100e3, 0.02 * (2 + bytes / 50e3));
}

TEST_F(MeasuredSystemOfGpu, KnowsMessagesAndAllToAllWhereTheyWereMeasured) {
  std::string text = rings();
  for (int power = 10; power <= 28; power += 2)
    text += fmt::format("send_receive,8,{},fp32,{:.9g}\nall_to_all,8,{},fp32,{:.9g}\n", 1 << power,
                        2 + std::exp2(power) / 80e3, 1 << power, 2 + std::exp2(power) * 7 / 8 / 50e3);
  const CsvSource moved{"c.csv", text};
  const MeasuredSystem measured = measured_system({.gemm = &gemm, .memory = &memory, .collectives = &moved});
  const Network network = read_system(nlohmann::json(measured.system), "it", Model::assay).networks[0];
  const double bytes = std::exp2(26);
  EXPECT_NEAR(network.seconds(Collective::p2p, bytes, 2) * 1e6, 2 + bytes / 80e3, 0.02 * bytes / 80e3);
  EXPECT_NEAR(network.seconds(Collective::all_to_all, bytes, 8) * 1e6, 2 + bytes * 7 / 8 / 50e3,
              0.02 * bytes / 50e3);
  EXPECT_THAT(measured.not_measured, Not(Contains(HasSubstr("ops.p2p"))));
  EXPECT_THAT(measured.not_measured, Not(Contains(HasSubstr("ops.all_to_all"))));
}

/// The rings of 4 and 8 within a node, and those among 2 and 16 over nodes with 9 us and 20e9 bytes/s.
std::string rings_of_both_tiers(bool over) {
  std::string text = "op,ranks,nodes,size_bytes,dtype,time_us\n";
  const auto add = [&](int ranks, int nodes, double us, double gb_per_s) {
    for (int power = 10; power <= 28; power += 2)
      for (const auto& [operation, scalar] : {std::pair("all_reduce", 2.0), {"all_gather", 1.0}})
        text += fmt::format("{},{},{},{},bf16,{:.9g}\n", operation, ranks, nodes, 1 << power,
                            us + scalar * std::exp2(power) * (ranks - 1) / ranks / gb_per_s * 1e-3);
  };
  for (const int ranks : {4, 8}) add(ranks, 1, 2, 100);
  if (over) add(8, 8, 9, 20), add(16, 2, 4, 50), add(16, 16, 9, 20);
  return text;
}

TEST_F(MeasuredSystemOfGpu, HasANetworkForEachTier) {
  const CsvSource both{"c.csv", rings_of_both_tiers(true)};
  const MeasuredSystem measured = measured_system({.gemm = &gemm, .memory = &memory, .collectives = &both});
  const System system = read_system(nlohmann::json(measured.system), "it", Model::assay);
  ASSERT_EQ(system.networks.size(), 2U);
  EXPECT_EQ(system.networks[0].tier, fit::Tier::within);
  EXPECT_EQ(system.networks[1].tier, fit::Tier::over);
  EXPECT_EQ(system.networks[0].size, 8);
  EXPECT_EQ(system.networks[1].size, 16);
  for (const double bytes : {std::exp2(12), std::exp2(26)}) {
    EXPECT_NEAR(system.networks[0].seconds(Collective::all_reduce, bytes, 8) * 1e6,
                2 + 2 * bytes * 7 / 8 / 100e3, 0.02 * (2 + bytes / 50e3));
    EXPECT_NEAR(system.networks[1].seconds(Collective::all_reduce, bytes, 16) * 1e6,
                9 + 2 * bytes * 15 / 16 / 20e3, 0.02 * (9 + bytes / 10e3));
  }
  EXPECT_THAT(measured.not_measured,
              Contains("networks[1].ops.reduce_scatter: not measured among 16 over nodes"));
  EXPECT_THAT(measured.not_measured, Contains(HasSubstr("networks[1].processor_usage: no measurement")));
}

TEST_F(MeasuredSystemOfGpu, WithoutCollectivesOverNodesHasANetworkThatNothingFitsOn) {
  const CsvSource within{"c.csv", rings_of_both_tiers(false)};
  const MeasuredSystem measured = measured_system({.gemm = &gemm, .memory = &memory, .collectives = &within});
  const System system = read_system(nlohmann::json(measured.system), "it", Model::assay);
  ASSERT_EQ(system.networks.size(), 2U);
  EXPECT_EQ(system.networks[0].size, 8);
  EXPECT_EQ(system.networks[1].size, 1);
  EXPECT_FALSE(system.networks[1].knows(Collective::all_reduce, 2));
  EXPECT_THAT(measured.not_measured,
              Contains("networks[1]: no collective over nodes of a dtype of the model, so one processor"));
}

TEST_F(MeasuredSystemOfGpu, WhoseTimesDetermineNoBandwidthSaysSoAndNamesNoKeyToRaise) {
  std::string rows = "op,ranks,size_bytes,dtype,time_us\n";
  for (int power = 3; power <= 12; ++power)  // latency alone
    for (const double factor : {0.99, 1.01})
      rows += fmt::format("all_reduce,8,{},bf16,{:.9g}\n", 1 << power, 20 * factor);
  const CsvSource latencies{"c.csv", rows};
  const MeasuredSystem measured =
      measured_system({.gemm = &gemm, .memory = &memory, .collectives = &latencies});
  EXPECT_THAT(measured.not_measured, Contains(HasSubstr("networks: measured: the times do not determine a "
                                                        "bandwidth: that of all_reduce would be")));
  EXPECT_THAT(measured.not_measured, Not(Contains(HasSubstr("raise it"))));
}

TEST_F(MeasuredSystemOfGpu, OfCollectivesOverNodesAloneHasOneNetwork) {
  std::string text = rings_of_both_tiers(true);
  for (std::size_t at; (at = text.find(",1,")) != std::string::npos;) {
    const std::size_t line = text.rfind('\n', at) + 1;
    text.erase(line, text.find('\n', at) - line + 1);
  }
  const CsvSource over{"c.csv", text};
  const MeasuredSystem measured = measured_system({.gemm = &gemm, .memory = &memory, .collectives = &over});
  const System system = read_system(nlohmann::json(measured.system), "it", Model::assay);
  ASSERT_EQ(system.networks.size(), 1U);
  EXPECT_EQ(system.networks[0].tier, fit::Tier::over);
  EXPECT_EQ(system.networks[0].size, 16);
}

TEST_F(MeasuredSystemOfGpu, HasNoOperationThatWasNotMeasuredAndSaysSo) {
  const MeasuredSystem measured = made();
  const System system = read_system(nlohmann::json(measured.system), "it", Model::assay);
  EXPECT_TRUE(system.lacks_operations);
  EXPECT_TRUE(system.networks[0].knows(Collective::all_gather, 8));
  for (const Collective lacking : {Collective::p2p, Collective::reduce_scatter, Collective::all_to_all})
    EXPECT_FALSE(system.networks[0].knows(lacking, 8));
  EXPECT_THAT(measured.not_measured, Contains("networks[0].ops.reduce_scatter: not measured among 8"));
}

TEST_F(MeasuredSystemOfGpu, TakesTheShareOfAProcessorThatACollectiveTakesFromProducts) {
  const auto used = [&](const std::string& rows) {
    const CsvSource slowdowns{"s.csv", "victim,aggressor,slowdown,slowdown_min,slowdown_max\n" + rows};
    return measured_system(
        {.gemm = &gemm, .memory = &memory, .collectives = &collective, .slowdowns = &slowdowns});
  };
  const char* beside_copies = "gemm,sm_copy,1.5,1.4,1.6\n";
  EXPECT_NEAR(used(std::string(beside_copies) + "gemm,nccl,1.25,1.2,1.3\n")
                  .system["networks"][0]["processor_usage"]
                  .get<double>(),
              0.2, 1e-9);
  EXPECT_NEAR(used(beside_copies).system["networks"][0]["processor_usage"].get<double>(), 1 / 3.0, 1e-9);
  const MeasuredSystem none = used("copy,gemm,1.25,1.2,1.3\n");
  EXPECT_EQ(none.system["networks"][0]["processor_usage"], 0);
  EXPECT_THAT(
      none.not_measured,
      Contains("networks[0].processor_usage: no measurement of products during a collective or copies: 0"));
}

TEST(MeasuredSystemTest, WithoutGemmOrMemoryIsNoneAndWithoutTheRestSaysWhatIsLacking) {
  const CsvSource gemm{"g.csv", gemms("host")}, memory{"m.csv", copies("host.copy", 2e12)};
  for (const MeasuredSources& lacking :
       {MeasuredSources{.gemm = &gemm}, MeasuredSources{.memory = &memory}}) {
    const MeasuredSystem none = measured_system(lacking);
    EXPECT_TRUE(none.system.is_null());
    EXPECT_THAT(none.not_measured, Contains(HasSubstr("no system")));
  }
  const MeasuredSystem alone = measured_system({.gemm = &gemm, .memory = &memory});
  EXPECT_EQ(alone.system["networks"][0]["size"], 1);
  EXPECT_EQ(alone.system["mem2"]["GiB"], 0);
  for (const char* lacking : {"networks: no collective", "mem2: no copy", "mem1.GiB: the runs do not say"})
    EXPECT_THAT(alone.not_measured, Contains(HasSubstr(lacking)));
}

}  // namespace
}  // namespace assay::model::calculon
