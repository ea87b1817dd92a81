// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Units that pass as their equals spread as far, beyond the margin that was asked for: they are counted.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "results/judge/acceptance/acceptance.hpp"

namespace assay::results {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// 40 hosts in ten racks; `lasting`: of ln(time), by host.
FleetAcceptance accepted(const std::function<double(int)>& lasting) {
  constexpr int hosts = 40, runs = 6;
  std::mt19937_64 random(20261130);
  std::normal_distribution<double> noise(0, 0.004);
  MeasuredFleet measured;
  measured.first.metrics = {{"memory.host.copy", "memory", false}};
  measured.first.unit_level = "host";
  measured.first.levels = {"rack"};
  for (int host = 0; host < hosts; ++host)
    measured.first.units.push_back(
        {fmt::format("h{}", host), "CPU", {fmt::format("r{}", host / (hosts / 10))}});
  measured.first.values.assign(hosts, 1);
  measured.again.assign(runs - 1, measured.first);
  for (int host = 0; host < hosts; ++host) {
    const auto at = static_cast<std::size_t>(host);
    measured.first.values[at] = std::exp(lasting(host) + noise(random));
    for (Fleet& fleet : measured.again) fleet.values[at] = std::exp(lasting(host) + noise(random));
  }
  return accept(std::move(measured), {});
}

const FleetLook& host_look(const FleetAcceptance& acceptance) { return acceptance.judged.looks.at(0); }

TEST(FleetMargins, AreNamedApartWhereHostsSpreadFarther) {
  const FleetAcceptance gradient = accepted([](int host) { return 0.12 / 40 * host; });
  const FleetLook& look = host_look(gradient);
  EXPECT_GT(look.limit, gradient.rules.margin);
  EXPECT_GE(look.beyond_margin, 10);
  EXPECT_GE(look.within_margin, 10);
  EXPECT_NEAR(look.slowest, 0.057, 0.006);
  const Verdicts verdicts = verdicts_of(gradient);
  EXPECT_THAT(verdicts.notes, Contains(HasSubstr(fmt::format("worst: {} of 40 hosts", look.beyond_margin))));
  EXPECT_THAT(verdicts.rows,
              Contains(testing::Field(&VerdictRow::because,
                                      HasSubstr(fmt::format("by the margin of 1.50 %, {} of them are within "
                                                            "and {} beyond, by 5.",
                                                            look.within_margin, look.beyond_margin)))));
}

TEST(FleetMargins, AreOneWhereHostsAreEqual) {
  const FleetAcceptance equal = accepted([](int) { return 0; });
  EXPECT_EQ(equal.verdict(), Verdict::pass);
  EXPECT_EQ(host_look(equal).beyond_margin, 0);
  EXPECT_EQ(host_look(equal).within_margin, 40);
  for (const std::string& note : verdicts_of(equal).notes)
    EXPECT_THAT(note, Not(HasSubstr("spread of their")));
}

}  // namespace
}  // namespace assay::results
