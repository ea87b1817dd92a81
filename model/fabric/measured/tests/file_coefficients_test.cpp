// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files that assay's fits made of known timings.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fabric/measured/port_coefficients.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::fabric::measured {
namespace {

using testing::HasSubstr;

/// L + 2 o = 2 us, o = 0.4 us, g = 0.1 us and 48 GB/s of writes; sends are slower.
std::string messages_csv() {
  std::string text = "operation,kind,posting,conditions,size_bytes,machine,time_us,origin\n";
  for (const auto& [operation, gb_per_s] : {std::pair("write", 48.0), std::pair("send", 40.0)})
    for (int power = 1; power <= 20; ++power) {
      const double payload_us = ((1 << power) - 1) * 1e-3 / gb_per_s, wobble = power % 2 == 0 ? 1.002 : 0.998;
      text += fmt::format(
          "{0},latency,,m=host,{1},a,{2:.9g},measured\n{0},stream,qps=1,m=host,{1},a,{3:.9g},measured\n",
          operation, 1 << power, wobble * (2 + payload_us), wobble * (0.1 + payload_us));
      text += fmt::format("{},overhead,,m=host,{},a,0.4,measured\n", operation, 1 << power);
    }
  return text;
}

/// 10 us and 200 GB/s of the bytes of an all-reduce of eight within a node; slower over nodes.
std::string collectives_csv() {
  std::string text = "op,ranks,nodes,size_bytes,dtype,source,time_us\n";
  for (int power = 14; power <= 30; power += 2)
    text += fmt::format("all_reduce,8,1,{0},fp32,a/nccl,{1:.9g}\nall_reduce,8,8,{0},fp32,a/nccl,{2:.9g}\n",
                        1 << power, 10 + (1 << power) / 200e3, 40 + (1 << power) / 20e3);
  return text;
}

fit::Provenance made_provenance() {
  fit::Provenance provenance;
  provenance.origin = "measured";
  provenance.machine = "a";
  return provenance;
}

class FileCoefficients : public testing::Test {
 protected:
  nlohmann::ordered_json loggp() const {
    const auto timings = fit::read_verbs_timings(folder_.file("messages.csv", messages_csv()));
    return fit::section_of(made_provenance(), fit::SeenRows::of(timings.rows), fit::fit_loggp(timings, 1));
  }
  nlohmann::ordered_json collectives() const {
    const auto timings = fit::read_collective_timings(folder_.file("collectives.csv", collectives_csv()));
    return fit::section_of(made_provenance(), fit::SeenRows::of(timings.rows),
                           fit::fit_collectives(timings, 1));
  }
  std::string written(const nlohmann::ordered_json& section) const {
    fit::write_coefficients(folder_.place("one.json"), section);
    return folder_.place("one.json");
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(FileCoefficients, OfLogGpAreTheFastestWrite) {
  const PortCoefficients ports = file_coefficients(written(loggp()));
  EXPECT_NEAR(ports.goodput_gb_per_s->value, 48, 0.5);
  EXPECT_LE(*ports.goodput_gb_per_s->lower, ports.goodput_gb_per_s->value);
  EXPECT_NEAR(ports.one_way.at(0).us, 2, 0.02);
  EXPECT_EQ(ports.one_way.at(0).links, 0U);
  EXPECT_NEAR(*ports.overhead_us, 0.4, 1e-9);
  EXPECT_NEAR(*ports.gap_us, 0.1, 0.002);
  EXPECT_THAT(ports.source, testing::StartsWith("write m=host, qps=1 of "));
}

TEST_F(FileCoefficients, OfCollectivesAreTheBusBandwidthOfANode) {
  const PortCoefficients ports = file_coefficients(written(collectives()));
  EXPECT_NEAR(ports.node_gb_per_s->value, 200 * 2 * 7 / 8.0, 2);
  EXPECT_FALSE(ports.goodput_gb_per_s);
  EXPECT_THAT(ports.unused, testing::ElementsAre(HasSubstr("assay fabric expect compares measured ones")));
}

TEST_F(FileCoefficients, SayThatTimingsDetermineNoGoodput) {
  nlohmann::ordered_json section = loggp();
  section["models"]["write m=host, qps=1"]["gb_per_s"]["supported"] = false;
  const PortCoefficients ports = file_coefficients(written(section));
  EXPECT_FALSE(ports.goodput_gb_per_s);
  EXPECT_THAT(ports.unused, testing::ElementsAre(testing::StartsWith("gb_per_s of write m=host, qps=1 of ")));
}

TEST_F(FileCoefficients, OfEveryKindNameWhatHasNoPlace) {
  fit::AllCoefficients all;
  all.sections[fit::CoefficientsKind::loggp] = loggp();
  all.sections[fit::CoefficientsKind::collectives] = collectives();
  nlohmann::ordered_json usage = loggp();
  usage["kind"] = "interference";
  all.sections[fit::CoefficientsKind::interference] = usage;
  fit::write_coefficients(folder_.place("all.json"), all);
  const PortCoefficients ports = file_coefficients(folder_.place("all.json"));
  EXPECT_TRUE(ports.goodput_gb_per_s && ports.node_gb_per_s);
  EXPECT_THAT(ports.unused, testing::Contains(HasSubstr("interference of ")));
}

TEST_F(FileCoefficients, OfAnotherFormAreRefusedByFileAndKey) {
  EXPECT_THAT(
      core::tests::message_of([&] { file_coefficients(folder_.file("x.json", "{\"kind\": \"loggp\"}")); }),
      HasSubstr("x.json"));
}

}  // namespace
}  // namespace assay::model::fabric::measured
