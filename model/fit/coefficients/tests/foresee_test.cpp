// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Coefficients of one machine predict the rows of another, and say of which rows they know nothing.
#include "model/fit/coefficients/foresee.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::fit {
namespace {

using core::tests::message_of;
using testing::HasSubstr;

class Foresight : public testing::Test {
 protected:
  template <class Row>
  Provenance provenance(const Timings<Row>& timings) const {
    return provenance_of(timings.table, timings.machine, timings.rows.size(), 1, "today");
  }

  /// Copies of 1 us and 20 GB/s between the host and GPU 0 of node-a.
  std::string fitted_links() const {
    const auto timings = read_size_timings({"rows", copies("node-a", 0, 12, 26)});
    write_coefficients(folder_.place("l.json"),
                       section_of(CoefficientsKind::links, provenance(timings), SeenRows::of(timings.rows),
                                  fit_sizes(timings, 1)));
    return folder_.place("l.json");
  }
  static std::string copies(const char* machine, int gpu, int from_power, int to_power) {
    std::string text = "operation,conditions,region,size_bytes,machine,time_us,time_min_us,time_max_us\n";
    for (int power = from_power; power <= to_power; ++power) {
      const double time_us = 1 + (1 << power) / 20e3;
      text += fmt::format("cuda.copy,gpu={} direction=h2d,,{},{},{},{},{}\n", gpu, 1 << power, machine,
                          time_us, 0.9 * time_us, 1.1 * time_us);
    }
    return text;
  }
  std::string fitted_collectives() const {
    const auto timings = read_collective_timings({"rows", all_reduces("node-a", 10, 24)});
    write_coefficients(folder_.place("c.json"), section_of(provenance(timings), SeenRows::of(timings.rows),
                                                           fit_collectives(timings, 1)));
    return folder_.place("c.json");
  }
  static std::string all_reduces(const char* machine, int from_power, int to_power) {
    std::string text = "op,ranks,size_bytes,dtype,source,time_us\n";
    for (int power = from_power; power <= to_power; ++power)
      text +=
          fmt::format("all_reduce,8,{},fp16,{}/nccl,{}\n", 1 << power, machine, 10 + (1 << power) / 200e3);
    return text;
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(Foresight, OfAnotherMachineAndGpuIsThatOfTheFittedOne) {
  const auto all = foresee(fitted_links(), {"rows", copies("node-b", 3, 20, 21)});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[1].row, 1U);
  EXPECT_FALSE(all[1].seen);
  EXPECT_NEAR(*all[1].predicted_us, all[1].measured_us, 0.03 * all[1].measured_us);
  EXPECT_NEAR(*all[1].lower_us, 0.9 * all[1].measured_us, 1e-3);
  EXPECT_EQ(all[1].what, "cuda.copy gpu=3 direction=h2d 2097152 bytes");
}

TEST_F(Foresight, SaysWhatTheFitHasSeenOnTheSameMachine) {
  EXPECT_TRUE(foresee(fitted_links(), {"rows", copies("node-a", 0, 20, 20)}).at(0).seen);
  EXPECT_FALSE(foresee(fitted_links(), {"rows", copies("node-a", 1, 20, 20)}).at(0).seen);
}

TEST_F(Foresight, KnowsNothingOfWhatWasNotFitted) {
  const auto all = foresee(fitted_links(), {"rows", "operation,size_bytes,time_us\nhost.copy,64,1\n"});
  EXPECT_FALSE(all.at(0).predicted_us);
}

TEST_F(Foresight, OfACollectiveIsOfTheSameOperationOnAnotherMachine) {
  const auto all = foresee(fitted_collectives(),
                           {"rows", all_reduces("node-b", 20, 20) + "broadcast,8,64,fp16,node-b/nccl,5\n"});
  EXPECT_NEAR(*all.at(0).predicted_us, all[0].measured_us, 0.05 * all[0].measured_us);
  EXPECT_FALSE(all.at(1).predicted_us);
}

TEST_F(Foresight, NeedsCoefficientsThatPredictTimes) {
  EXPECT_THAT(message_of([&] { foresee(folder_.place("none.json"), {"rows", ""}); }),
              HasSubstr("cannot be read"));
  EXPECT_THAT(message_of([&] { foresee(folder_.file("x.json", "{}"), {"rows", ""}); }),
              HasSubstr("x.json: schema: expected \"assay-coefficients\""));
}

}  // namespace
}  // namespace assay::model::fit
