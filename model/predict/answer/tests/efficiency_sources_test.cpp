// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/efficiency_sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::model {
namespace {

std::string sources_of(const std::string& json, const std::vector<std::string>& settings = {},
                       const std::vector<std::string>& coefficients = {}) {
  return efficiency_sources({.name = "systems/one.json", .text = json}, settings, coefficients);
}

const std::string stated = R"({"sources": {
    "mem2.MB_efficiency": "guessed: as of another", "networks[0].efficiency": "measured: NCCL",
    "matrix.bfloat16.gflops_efficiency": "measured: products", "mem1.GBps": "stated: data sheet",
    "vector.bfloat16.gflops_efficiency": "imported: a paper"}})";

TEST(EfficiencySources, AreTheFilesWordsTheMeasuredFirst) {
  EXPECT_EQ(sources_of(stated),
            "Efficiencies of one.json: measured matrix.bfloat16, networks[0]; imported vector.bfloat16; "
            "guessed mem2.");
}

TEST(EfficiencySources, OfAFileWithoutThemAreSaidToBeUnknown) {
  EXPECT_EQ(sources_of(R"({"mem1": {}})"),
            "Efficiencies of one.json: the file does not say which were measured, imported or guessed.");
}

TEST(EfficiencySources, ThatTheCommandReplacesAreItsOwn) {
  EXPECT_EQ(sources_of(stated, {"networks[0].efficiency=0.9", "mem2.GiB=0"}),
            "Efficiencies of one.json: given here networks[0]; measured matrix.bfloat16; imported "
            "vector.bfloat16; guessed mem2.");
}

TEST(EfficiencySources, NameCoefficientsOfFits) {
  EXPECT_THAT(sources_of(stated, {}, {"0=fit.json"}),
              testing::EndsWith("; coefficients of assay fit where they cover a size."));
  EXPECT_THAT(sources_of(R"({"coefficients": "fit.json"})"), testing::HasSubstr("coefficients of assay fit"));
}

}  // namespace
}  // namespace assay::model
