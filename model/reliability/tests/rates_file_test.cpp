// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/rates_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/core/error.hpp"

namespace assay::model::reliability {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

std::string refusal_of(const std::string& text) {
  try {
    parse_rates(text, "r.toml");
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "none";
}

TEST(RatesFile, ShippedTablesHaveThePublishedRates) {
  const std::string folder = ASSAY_RATES_DIR;
  const Rates llama = read_rates(folder + "/llama-3.toml");
  EXPECT_EQ(llama.components.size(), 18U);
  EXPECT_NEAR(llama.node.per_1000_node_days(), 3.79, 0.005);
  EXPECT_NEAR(llama.per_node_day("gpu") / llama.node.per_node_day, 148.0 / 419, 1e-9);
  ASSERT_TRUE(llama.node.interval);
  EXPECT_NEAR(read_rates(folder + "/rsc-1.toml").node.per_1000_node_days(), 6.50, 1e-9);
  EXPECT_NEAR(read_rates(folder + "/rsc-2.toml").node.per_1000_node_days(), 2.34, 1e-9);
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    EXPECT_FALSE(read_rates(entry.path()).source.empty()) << entry.path();
}

TEST(RatesFile, AComponentMayHaveBeenWatchedForLess) {
  const Rates rates = parse_rates(
      "nodes = 10\ndays = 100\n[[component]]\nname = \"gpu\"\nfailures = 4\n"
      "[[component]]\nname = \"nic\"\nfailures = 1\ndays = 50\n",
      "r.toml");
  EXPECT_NEAR(rates.per_node_day("gpu"), 4e-3, 1e-12);
  EXPECT_NEAR(rates.per_node_day("nic"), 2e-3, 1e-12);
  EXPECT_NEAR(rates.node.per_node_day, 6e-3, 1e-12);
  EXPECT_EQ(rates.per_node_day("psu"), 0);
}

TEST(RatesFile, HasNoIntervalWhereARateWasStatedWithoutCounts) {
  const Rates rates = parse_rates(
      "nodes = 10\ndays = 100\n[[component]]\nname = \"gpu\"\nfailures = 4\n"
      "[[component]]\nname = \"nic\"\nper_1000_node_days = 1\n",
      "r.toml");
  EXPECT_NEAR(rates.node.per_node_day, 5e-3, 1e-12);
  EXPECT_FALSE(rates.node.interval);
}

TEST(RatesFile, HasEarlyLifeAsWeibullOrAsABathtub) {
  const std::string counts = "nodes = 10\ndays = 100\n[[component]]\nname = \"gpu\"\nfailures = 4\n";
  EXPECT_FALSE(parse_rates(counts, "r.toml").early_life);
  const std::string weibull = counts + "[early_life]\nearly = 0.05\nscale_days = 12\nshape = 0.6\n";
  const EarlyLife weak = *parse_rates(weibull, "r.toml").early_life;
  EXPECT_NEAR(weak.per_day, 4e-3, 1e-12);
  EXPECT_EQ(weak.scale_days, 12);
  EXPECT_EQ(weak.shape, 0.6);
  EXPECT_EQ(weak.wear_scale_days, 0);
  const EarlyLife bathtub =
      *parse_rates(weibull + "wear_scale_days = 3000\nwear_shape = 4\n", "r.toml").early_life;
  EXPECT_EQ(bathtub.wear_scale_days, 3000);
  EXPECT_EQ(bathtub.wear_shape, 4);
  EXPECT_THAT(refusal_of(counts + "[early_life]\nearly = 1\nshape = 1.2\n"),
              HasSubstr("r.toml:8: early_life.shape: expected a number above 0 and at most 1"));
  EXPECT_THAT(
      refusal_of(counts + "[early_life]\nearly = -1\n"),
      HasSubstr("early_life.early: expected a number above 0 and at most 1000, got -1: failures a node"));
  EXPECT_THAT(refusal_of(counts + "[early_life]\nshape = 0.5\n"),
              HasSubstr("r.toml:6: early_life.early: missing: expected failures a node"));
  for (const char* half : {"wear_scale_days = 3000\n", "wear_shape = 4\n"})
    EXPECT_THAT(refusal_of(weibull + half), HasSubstr("expected both `wear_scale_days` and `wear_shape`"));
  EXPECT_THAT(refusal_of(counts + "[early_life]\nscale = 5\n"), HasSubstr("early_life.scale: unknown key"));
  EXPECT_THAT(refusal_of("early_life = 3\n"), HasSubstr("early_life: expected a table"));
}

TEST(RatesFile, DomainsAreLossesOfManyNodesAtOnce) {
  const std::string counts = "nodes = 128\ndays = 100\n[[component]]\nname = \"gpu\"\nfailures = 40\n";
  const Rates rates = parse_rates(
      counts + "[[domain]]\nname = \"rack\"\nnodes = 16\nunits = 8\nfailures = 4\nrepair_days = 0.5\n",
      "r.toml");
  ASSERT_EQ(rates.domains.size(), 1U);
  EXPECT_NEAR(rates.domains[0].rate.per_node_day, 4 / 800.0, 1e-12);
  EXPECT_EQ(rates.domains[0].repair_days, 0.5);
  EXPECT_NEAR(rates.node.per_node_day, (40 + 4) / 12800.0, 1e-12) << "each interrupts the job once";
  EXPECT_NEAR(rates.usual_repairs_per_node_day(), 40 / 12800.0, 1e-12);
  ASSERT_TRUE(rates.node.interval);
  const std::string stated = counts + "[[domain]]\nname = \"rail\"\nnodes = 32\nper_1000_unit_days = 1\n";
  EXPECT_FALSE(parse_rates(stated, "r.toml").node.interval);
  EXPECT_THAT(refusal_of(counts + "[[domain]]\nname = \"rack\"\n"),
              HasSubstr("r.toml:6: domain.nodes: missing: expected a whole number"));
  EXPECT_THAT(refusal_of(counts + "[[domain]]\nname = \"rack\"\nnodes = 1\n"),
              HasSubstr("domain.nodes: expected a whole number from 2"));
  EXPECT_THAT(refusal_of(counts + "[[domain]]\nname = \"rack\"\nnodes = 16\nfailures = 1\n"),
              HasSubstr("domain 'rack': expected failures and units, or per_1000_unit_days"));
  EXPECT_THAT(refusal_of(counts + "[[domain]]\nname = \"rack\"\nnodes = 16\nper_1000_unit_days = -1\n"),
              HasSubstr("domain.per_1000_unit_days: expected a number above 0"));
  EXPECT_THAT(refusal_of(counts + "[[domain]]\nracks = 3\n"), HasSubstr("domain.racks: unknown key"));
}

TEST(RatesFile, RefusesWhatItCannotMean) {
  const std::string gpu = "[[component]]\nname = \"gpu\"\n";
  EXPECT_THAT(refusal_of("nodes = 1\ndays = 1\n"), HasSubstr("r.toml: no [[component]] in it"));
  EXPECT_THAT(refusal_of("nodes = -1\n"), HasSubstr("r.toml:1: nodes: expected a number above 0"));
  EXPECT_THAT(refusal_of("nodes = 1e308\n"),
              HasSubstr("r.toml:1: nodes: expected a number above 0 and at most 1000000000"));
  EXPECT_THAT(refusal_of("nodes = inf\n"), HasSubstr("r.toml:1: nodes: expected a number above 0"));
  EXPECT_THAT(refusal_of("gpus_per_node = 0\n"), HasSubstr("expected a whole number from 1 to 1024"));
  EXPECT_THAT(refusal_of(gpu + "failures = -3\n"),
              HasSubstr("r.toml:3: component.failures: expected a whole number"));
  EXPECT_THAT(refusal_of(gpu + "failures = 1.5\n"), HasSubstr("component.failures: expected a whole number"));
  EXPECT_THAT(refusal_of(gpu + "per_1000_node_days = -1\n"), HasSubstr("expected a number of at least 0"));
  EXPECT_THAT(refusal_of(gpu + "per_1000_node_days = nan\n"), HasSubstr("expected a number of at least 0"));
  EXPECT_THAT(refusal_of(gpu + "failures = 3\n"), HasSubstr("failures without nodes and days"));
  EXPECT_THAT(refusal_of(gpu), HasSubstr("expected either failures or per_1000_node_days"));
  EXPECT_THAT(refusal_of("[[component]]\nname = \"gpux\"\n"),
              HasSubstr("r.toml:2: component.name: 'gpux' is unknown (expected "));
  EXPECT_THAT(refusal_of("[[component]]\nname = \"nvlnk\"\n"),
              AllOf(HasSubstr("component.name: 'nvlnk' is unknown"), EndsWith("; did you mean nvlink?")));
  EXPECT_THAT(refusal_of("[[component]]\nfailures = 3\n"),
              HasSubstr("r.toml:1: component.name: missing: expected text"));
  EXPECT_THAT(refusal_of("nodes = 1\ndays = 1\n" + gpu + "failures = 1\n" + gpu + "failures = 1\n"),
              HasSubstr("component 'gpu' is there twice"));
  const std::string rack = "[[domain]]\nname = \"rack\"\nnodes = 16\nper_1000_unit_days = 1\n";
  EXPECT_THAT(refusal_of("[[component]]\nname = \"gpu\"\nper_1000_node_days = 1\n" + rack + rack),
              HasSubstr("domain 'rack' is there twice: expected one table of each"));
  EXPECT_THAT(refusal_of("[[component]]\nname = \"gpu\"\nper_1000_node_days = 1\nrepair_days = -1\n"),
              HasSubstr("component.repair_days: expected a number of at least 0"));
  EXPECT_THAT(refusal_of(gpu + "per_1000_node_days = 1e9\n"), HasSubstr("expected at most 1000"));
  EXPECT_THAT(refusal_of("component = 3\n"), HasSubstr("component: expected tables [[component]]"));
  EXPECT_THAT(refusal_of("noodles = 3\n"), HasSubstr("r.toml:1: noodles: unknown key"));
  EXPECT_THAT(refusal_of("= 3"), HasSubstr("r.toml:1: not TOML"));
}

}  // namespace
}  // namespace assay::model::reliability
