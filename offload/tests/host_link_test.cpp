// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/host_link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/tests/with_setting.hpp"

namespace assay::offload {
namespace {

using machine::WithSetting;
using testing::DoubleNear;
using testing::Optional;

HostLink link_of_fake_gpu() {
  const auto device = machine::Nvml(FAKE_NVML).device(0);
  return trained_link(device.value()).value();
}

TEST(HostLink, CarriesWhatItsLanesDoLessTheLineCode) {
  EXPECT_THAT((HostLink{5, 16}.ceiling_gb_per_s()), Optional(DoubleNear(63.015, 0.001)));
  EXPECT_THAT((HostLink{4, 16}.ceiling_gb_per_s()), Optional(DoubleNear(31.508, 0.001)));
  EXPECT_THAT((HostLink{2, 8}.ceiling_gb_per_s()), Optional(4.0));
  EXPECT_EQ((HostLink{7, 16}.ceiling_gb_per_s()), std::nullopt);
  EXPECT_EQ((HostLink{5, 0}.ceiling_gb_per_s()), std::nullopt);
}

TEST(HostLink, IsPcieWhereTheGpuHasNoC2c) {
  for (const char* count : {"", "0"}) {
    std::optional<WithSetting> none;
    if (*count != 0) none.emplace("FAKE_NVML_C2C", count);
    const HostLink link = link_of_fake_gpu();
    EXPECT_EQ(link.c2c_links, 0);
    EXPECT_EQ(link.width, 16);
    EXPECT_THAT(link_facts(link, 55),
                testing::ElementsAre(core::Fact{"link", "pcie"},
                                     core::Fact{"pcie_generation_under_load", std::int64_t{5}},
                                     core::Fact{"pcie_width_under_load", std::int64_t{16}},
                                     core::Fact{"link_ceiling_gb_per_s", *link.ceiling_gb_per_s()}));
  }
}

// GH200 480GB: `nvidia-smi c2c -s` lists ten links of 44.712 GB/s.
TEST(HostLink, IsC2cWhereTheGpuHasItWhateverItsPcieLinkIs) {
  const WithSetting links("FAKE_NVML_C2C", "10");
  const HostLink link = link_of_fake_gpu();
  EXPECT_THAT(link.ceiling_gb_per_s(), Optional(DoubleNear(447.12, 1e-9)));
  EXPECT_THAT(percent_of_link(link, 223.56), Optional(DoubleNear(50, 1e-9)));
  EXPECT_THAT(link_facts(link, 223.56),
              testing::ElementsAre(core::Fact{"link", "c2c"}, core::Fact{"c2c_links", std::int64_t{10}},
                                   core::Fact{"link_ceiling_gb_per_s", *link.ceiling_gb_per_s()}));
}

TEST(HostLink, CountsOnlyC2cLinksThatAreActive) {
  const WithSetting links("FAKE_NVML_C2C", "10"), down("FAKE_NVML_C2C_DOWN", "4");
  EXPECT_THAT(link_of_fake_gpu().ceiling_gb_per_s(), Optional(DoubleNear(402.408, 1e-9)));
}

TEST(HostLink, OfC2cWithoutASpeedHasNoCeilingAndSaysSo) {
  const HostLink link{.c2c_links = 10};
  EXPECT_EQ(link.ceiling_gb_per_s(), std::nullopt);
  EXPECT_EQ(percent_of_link(link, 300), std::nullopt);
  EXPECT_EQ(link_facts(link, 300).back(),
            (core::Fact{"link_ceiling", "none: NVML does not report the speed of this link"}));
}

TEST(HostLink, AboveItsCeilingIsNoPercentageAndTheRecordSaysWhy) {
  const HostLink one_lane{.generation = 5, .width = 1};
  EXPECT_EQ(percent_of_link(one_lane, 300), std::nullopt);
  EXPECT_EQ(link_facts(one_lane, 300).back(),
            (core::Fact{"link_ceiling",
                        "none: 300 GB/s is 7617 % of this link's 3.938 GB/s (at most 105 % "
                        "expected), so the data took another way"}));
  const HostLink link{.generation = 5, .width = 16};
  EXPECT_THAT(percent_of_link(link, 66), Optional(DoubleNear(104.737, 0.001)));
  EXPECT_EQ(percent_of_link(link, 66.2), std::nullopt);
}

TEST(HostLink, ThatIsNotKnownHasNoFacts) {
  EXPECT_TRUE(link_facts(std::nullopt, 55).empty());
  EXPECT_EQ(percent_of_link(std::nullopt, 55), std::nullopt);
}

}  // namespace
}  // namespace assay::offload
