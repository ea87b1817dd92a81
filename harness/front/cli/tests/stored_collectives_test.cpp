// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// All-reduces of many sets of hosts, a run each, which together name the host that all slow ones have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

#include "harness/core/names.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::cli {
namespace {

using results::test::RunBuilder;
using testing::HasSubstr;

constexpr int stored_hosts = 32, hosts_of_a_set = 8;
constexpr const char* zone_toml =
    "preset = 'ai-zone'\nleaves = 8\ngpus_per_leaf = 4\nspines = 4\nhost = { gpus = 1 }\nnodes = 'h[0-31]'\n";

std::vector<results::Record> run_on(const std::vector<int>& hosts, int number, double seconds) {
  RunBuilder builder("set-" + std::to_string(number));
  builder.begin(0, "collectives");
  results::PointRecord record = builder.point(
      "collectives.assay.all_reduce",
      {{"algorithm", "ring"}, {"bytes", std::int64_t{64} << 20}, {"dtype", "fp32"}, {"groups", "all"}});
  record.conditions = {{core::names::ranks, std::int64_t{hosts_of_a_set}},
                       {core::names::nodes, std::int64_t{hosts_of_a_set}},
                       {core::names::host, "h" + std::to_string(hosts.front())},
                       {core::names::rail, std::int64_t{0}}};
  for (int rank = 1; rank < hosts_of_a_set; ++rank)
    record.ranks.push_back({rank,
                            {{core::names::host, "h" + std::to_string(hosts[static_cast<std::size_t>(rank)])},
                             {core::names::rail, std::int64_t{0}}}});
  builder.measured(std::move(record), seconds,
                   {core::names::time_us, "us", [](double s) { return s * 1e6; }});
  builder.end();
  return builder.take();
}

class StoredCollectives : public testing::Test {
 protected:
  /// Rings with h13 keep this share of their speed; noise of 1 %.
  void measure(int sets, double share) {
    folder_.file("zone.toml", zone_toml);
    results::Store store(folder_.place("store.db"));
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0, 0.01);
    std::vector<int> hosts(stored_hosts);
    std::iota(hosts.begin(), hosts.end(), 0);
    for (int number = 0; number < sets; ++number) {
      std::ranges::shuffle(hosts, random);
      const bool is_slow =
          std::find(hosts.begin(), hosts.begin() + hosts_of_a_set, 13) < hosts.begin() + hosts_of_a_set;
      const double seconds = 3e-3 * std::exp(noise(random)) / (is_slow ? share : 1);
      store.add(run_on(hosts, number, seconds));
    }
  }
  tests::Said locate(const std::string& arguments) const {
    return tests::assay_in(folder_.path().string(), "fabric locate zone.toml --store store.db " + arguments);
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(StoredCollectives, NameTheHostThatTheSlowOnesShare) {
  measure(40, 0.8);
  const tests::Said said = locate("--cases collectives.* --json");
  ASSERT_EQ(said.exit_code, 1) << said.text;
  const auto json = core::json_from<nlohmann::json>(said.text);
  ASSERT_EQ(json["suspects"].size(), 1U) << said.text;
  EXPECT_THAT(json["suspects"][0].dump(), HasSubstr("h13"));
  EXPECT_NEAR(json["suspects"][0]["factor"].get<double>(), 0.8, 0.02);
}

TEST_F(StoredCollectives, NameNothingInASoundFabric) {
  measure(40, 1);
  const tests::Said said = locate("--cases collectives.*");
  EXPECT_NE(said.exit_code, 1) << said.text;
}

TEST_F(StoredCollectives, OfTooFewSetsAreRefused) {
  measure(15, 0.8);
  const tests::Said said = locate("--cases collectives.*");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("on at least 16 sets of as many hosts"));
  EXPECT_EQ(std::ranges::count(said.text, '\n'), 1);
}

}  // namespace
}  // namespace assay::cli
