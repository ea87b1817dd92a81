// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Addresses of rails, on synthetic records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "results/judge/tests/ask_judge.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

using AddressOf = std::function<std::string(int host, int rail)>;

/// A point of each two neighbouring hosts, two ranks a host.
std::vector<VerdictRow> rows_of(int hosts, const AddressOf& address_of) {
  test::RunBuilder builder("run-1");
  builder.begin(0, "rdma");
  const auto facts = [&](int host, int rail) {
    return Fields{{"host", "h" + std::to_string(host)},
                  {"rail", std::int64_t{rail}},
                  {"gid", address_of(host, rail) + " (RoCE v2, index 3)"}};
  };
  for (int host = 0; host + 1 < hosts; ++host) {
    PointRecord record = builder.point("rdma.verbs.bandwidth", {{"bytes", std::int64_t{1 << 20}}});
    record.conditions = facts(host, 0);
    for (int rank = 1; rank < 4; ++rank) record.ranks.push_back({rank, facts(host + rank / 2, rank % 2)});
    builder.measured(std::move(record), 22e-6,
                     {"bandwidth_gb_per_s", "GB/s", [](double s) { return (1 << 20) / s * 1e-9; }});
  }
  builder.end();
  Store store("");
  store.add(builder.take());
  const auto judged = test::ask_judge("rails", {.store = store});
  return judged.empty() ? std::vector<VerdictRow>() : judged.front().verdicts.rows.unpacked();
}

std::string own_subnets(int host, int rail) {
  return "10." + std::to_string(rail) + ".0." + std::to_string(host + 1);
}

TEST(Rails, OfAHostWhoseCablesAreCrossedAreNamed) {
  const auto rows =
      rows_of(5, [](int host, int rail) { return own_subnets(host, host == 3 ? 1 - rail : rail); });
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].verdict, Verdict::fail);
  EXPECT_EQ(rows[0].unit, "h3");
  EXPECT_EQ(rows[0].because, "rail0 has an address of rail1, rail1 has an address of rail0");
}

TEST(Rails, WithTheirOwnSubnetsPassAlsoInIpv6) {
  for (const AddressOf& address_of : {AddressOf(own_subnets), AddressOf([](int host, int rail) {
                                        return "fd00:0:0:" + std::to_string(rail) +
                                               "::" + std::to_string(host + 1);
                                      })}) {
    const auto rows = rows_of(4, address_of);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].verdict, Verdict::pass);
  }
}

TEST(Rails, AreNotJudgedWithoutSubnetsOfTheirOwn) {
  EXPECT_TRUE(
      rows_of(5, [](int host, int rail) { return "10.0.0." + std::to_string(10 * host + rail + 1); }).empty())
      << "one subnet for all";
  EXPECT_TRUE(
      rows_of(5, [](int host,
                    int rail) { return "10." + std::to_string(rail) + "." + std::to_string(host) + ".1"; })
          .empty())
      << "a subnet for each host";
  EXPECT_TRUE(rows_of(2, own_subnets).empty()) << "too few hosts to know which is crossed";
}

}  // namespace
}  // namespace assay::results
