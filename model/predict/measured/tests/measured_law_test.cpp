// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/measured_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/measured/coefficients.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A ring of 2 us a step, 5 us a call and 300 GB/s.
double ring_us(double ranks, double bytes) {
  return 2 * (ranks - 1) * 2 + 5 + bytes * 2 * (ranks - 1) / ranks / 300e3;
}

std::string rows_of(std::initializer_list<int> ranks, double times = 1, const char* source = "m/x") {
  std::string text;
  for (const int among : ranks)
    for (double bytes = 1024; bytes < 2e9; bytes *= 4)
      text += "all_reduce," + std::to_string(among) + "," + std::to_string(bytes) + ",fp16," +
              std::to_string(times * ring_us(among, bytes)) + "," + source + "\n";
  return text;
}

class Law : public testing::Test {
 protected:
  std::string fitted(const std::string& rows, const std::string& name = "net.json") {
    const std::string csv = folder_.file("c.csv", "op,ranks,size_bytes,dtype,time_us,source\n" + rows);
    const auto timed = fit::read_collective_timings(csv);
    const std::string path = folder_.place(name);
    fit::write_coefficients(
        path, fit::section_of(fit::provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now"),
                              fit::SeenRows{}, fit::fit_collectives(timed, 1)));
    return path;
  }
  /// Tensor parallelism of so many over network 0.
  static Configuration tensor_parallel(int members, const std::vector<CoefficientFile>& files) {
    nlohmann::json execution = sample_execution(), system = sample_system(),
                   application = sample_application();
    execution.update({{"num_procs", members}, {"tensor_par", members}});
    application.update({{"attn_heads", 64}, {"hidden", 64}, {"attn_size", 1}, {"feedforward", 64}});
    system["networks"][0]["size"] = 64;
    return read_configuration(application, execution, system, {"APP", "EXE", "SYS"},
                              {.model = Model::assay, .coefficients = files});
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(Law, PricesNumbersOfRanksThatWereNotMeasuredAndNoOthers) {
  const std::string path = fitted(rows_of({2, 4, 8}));
  const Network network = tensor_parallel(16, {{path, 0}}).system.networks[0];
  for (const double members : {3.0, 6.0, 16.0, 512.0})
    for (const double bytes : {2048.0, 1e6, 1e9}) {
      const double law_s = 1e-6 * ring_us(members, bytes);
      EXPECT_NEAR(network.seconds(Collective::all_reduce, bytes, members), law_s, 2e-3 * law_s)
          << members << " " << bytes;
    }
  const CollectiveCurve* const measured = network.curve(Collective::all_reduce, 8);
  ASSERT_NE(measured, nullptr);
  EXPECT_EQ(network.seconds(Collective::all_reduce, 1e6, 8), measured->seconds(1e6));
  const Network without = tensor_parallel(16, {}).system.networks[0];
  EXPECT_EQ(network.seconds(Collective::all_gather, 1e6, 16),
            without.seconds(Collective::all_gather, 1e6, 16));
  EXPECT_EQ(network.seconds(Collective::all_reduce, 1e6, 1), without.seconds(Collective::all_reduce, 1e6, 1));
}

TEST_F(Law, IsSaidWithTheRanksMeasured) {
  const std::string path = fitted(rows_of({2, 4, 8}));
  EXPECT_THAT(pricing(tensor_parallel(16, {{path, 0}})),
              Contains("tensor parallel, all_reduce among 16: law over ranks (ring), measured 2 4 8"));
  EXPECT_THAT(pricing(tensor_parallel(8, {{path, 0}})), Not(Contains(HasSubstr("law over ranks"))));
}

TEST_F(Law, IsDoubtedByItsDistanceAndItsErrorAtRanksLeftOut) {
  const std::string path = fitted(rows_of({2, 4}) + rows_of({8}, 1.3));
  EXPECT_THAT(
      warnings(tensor_parallel(32, {{path, 0}})),
      Contains(testing::AllOf(HasSubstr("net.json: network 0, all_reduce among 32: law over ranks ("),
                              HasSubstr("measured 2 4 8: 32 is 4 times the largest; "),
                              testing::ContainsRegex("[0-9.]+ % off ranks left out, [0-9.]+ % off 8 by "
                                                     "the others"))));
  EXPECT_THAT(warnings(tensor_parallel(4, {{path, 0}})), Not(Contains(HasSubstr("law over ranks"))));
}

TEST_F(Law, OfTheLastFileIsTakenAndOneMeasurementBeforeAnyLaw) {
  const std::string first = fitted(rows_of({2, 4, 8})), last = fitted(rows_of({2, 4}, 3), "last.json");
  const Network network = tensor_parallel(16, {{first, 0}, {last, 0}}).system.networks[0];
  const double ring_s = 1e-6 * ring_us(16, 1e8);
  EXPECT_GT(network.seconds(Collective::all_reduce, 1e8, 16), 2 * ring_s);
  EXPECT_NEAR(network.seconds(Collective::all_reduce, 1e8, 8), 1e-6 * ring_us(8, 1e8), 0.05 * ring_s);
}

TEST_F(Law, OfTwoSystemsCannotBeToldApart) {
  const std::string path = fitted(rows_of({2, 4}) + rows_of({8, 16}, 1, "m/y"));
  try {
    tensor_parallel(32, {{path, 0}});
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("net.json: rank_laws: all_reduce is of 'm/x' and of 'm/y': fit each in a separate file"));
  }
}

TEST_F(Law, GoesWhereTheMeasuredTimesGo) {
  const System from = tensor_parallel(16, {{fitted(rows_of({2, 4, 8})), 0}}).system;
  System to = tensor_parallel(16, {}).system;
  copy_measured_times(from, to);
  EXPECT_EQ(to.networks[0].seconds(Collective::all_reduce, 1e6, 16),
            from.networks[0].seconds(Collective::all_reduce, 1e6, 16));
}

TEST_F(Law, AtTheEndsOfACoefficientChangesByThatPartAlone) {
  const auto law =
      tensor_parallel(16, {{fitted(rows_of({2, 4, 8})), 0}}).system.networks[0].laws.at(0).source;
  const double before_us = 1e6 * law->seconds(1e6, 16);
  const double more_us = law->first().regimes[0].step.upper - law->first().regimes[0].step.value;
  ASSERT_EQ(law->first().shape->name, "ring");
  EXPECT_NEAR(1e6 * law->moved(&fit::RankRegime::step, End::high).seconds(1e6, 16), before_us + 30 * more_us,
              1e-9);
}

}  // namespace
}  // namespace assay::model
