// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fitted times in the place of a system's tables: files fitted here to timings made by a known formula.
#include "model/predict/measured/coefficients.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Collectives of `operation` among `ranks`: 20 us and 100 GB/s, above 1 MiB 50 us and 400 GB/s.
std::string timings(const char* operation, int ranks, const char* dtype, const char* source) {
  std::string text;
  for (double size = 1024; size < 2e9; size *= 2) {
    const double us = size <= 1 << 20 ? 20 + size / 1e5 : 50 + size / 4e5;
    text += fmt::format("{},{},{:.0f},{},{:.6f},{}\n", operation, ranks, size, dtype, us, source);
  }
  return text;
}

/// The timings of `rows`, each ten times as long.
std::string slower(const std::string& rows) {
  std::string text;
  std::istringstream lines(rows);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t source = line.rfind(',');
    const std::size_t time = line.rfind(',', source - 1);
    const double us = std::stod(line.substr(time + 1, source - time - 1));
    text += line.substr(0, time + 1) + fmt::format("{:.6f}", 10 * us) + line.substr(source) + "\n";
  }
  return text;
}

/// 10 us and 200 TFLOP/s, whatever the shape.
std::string products(const char* dtype) {
  std::string text = "m,n,k,dtype,time_us,source\n";
  for (int m = 128; m <= 4096; m *= 2)
    for (int n = 128; n <= 4096; n *= 2)
      for (int k = 128; k <= 4096; k *= 2)
        text += fmt::format("{},{},{},{},{:.6f},machine\n", m, n, k, dtype, 10 + 2e-8 * m * n * k / 2);
  return text;
}

class Coefficients : public testing::Test {
 protected:
  std::string collectives(const std::string& rows) {
    const std::string csv = folder_.file("c.csv", "op,ranks,size_bytes,dtype,time_us,source\n" + rows);
    const auto timed = fit::read_collective_timings(csv);
    const std::string path = folder_.place("collectives.json");
    fit::write_coefficients(
        path, fit::section_of(fit::provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now"),
                              fit::SeenRows{}, fit::fit_collectives(timed, 1)));
    return path;
  }
  std::string gemms(const char* dtype) {
    const std::string csv = folder_.file("g.csv", products(dtype));
    const auto timed = fit::read_gemm_timings(csv);
    const std::string path = folder_.place("gemm.json");
    fit::write_coefficients(
        path, fit::section_of(fit::provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now"),
                              fit::SeenRows{}, fit::fit_gemm(timed, {.trees = {.trees = 20}})));
    return path;
  }
  static Configuration with(const std::vector<CoefficientFile>& files,
                            const json& application = sample_application(),
                            const json& execution = sample_execution(),
                            const json& system = sample_system()) {
    return read_configuration(application, execution, system, {"APP", "EXE", "SYS"},
                              {.model = Model::assay, .coefficients = files});
  }
  static std::string complaint(const std::vector<CoefficientFile>& files) {
    try {
      with(files);
    } catch (const core::Error& error) {
      return error.what();
    }
    return "nothing";
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(Coefficients, PriceACollectiveByTheSegmentOfItsSize) {
  const std::string path = collectives(timings("all_reduce", 8, "fp16", "m/x"));
  const Network network = with({{path, 0}}).system.networks[0];
  EXPECT_NEAR(network.seconds(Collective::all_reduce, 65536, 8), 20.65536e-6, 2e-7);
  EXPECT_NEAR(network.seconds(Collective::all_reduce, 1 << 30, 8), (50 + 1073.741824 * 2.5) * 1e-6, 3e-5);
}

TEST_F(Coefficients, PriceACollectiveAsFitJudgesItBetweenMeasuredSizesToo) {
  const std::string path = collectives(timings("all_reduce", 8, "fp16", "m/x"));
  const Network network = with({{path, 0}}).system.networks[0];
  const fit::CollectiveModels models = fit::read_collective_coefficients(path).models;
  for (const double bytes : {1500.0, 5e4, 1.4e6, 3e6, 7e7})
    EXPECT_NEAR(network.seconds(Collective::all_reduce, bytes, 8),
                1e-6 * models.time_us(models.families.begin()->first, "fp16", bytes),
                2e-9 * models.time_us(models.families.begin()->first, "fp16", bytes))
        << bytes;
}

TEST_F(Coefficients, LeaveWhatTheyDoNotKnowToTheTiersLine) {
  const std::string path = collectives(timings("all_reduce", 8, "fp16", "m/x"));
  const Network network = with({{path, 0}}).system.networks[0];
  EXPECT_NEAR(network.seconds(Collective::all_reduce, 1e9, 4), 2 * 0.75, 1e-12);
  EXPECT_NEAR(network.seconds(Collective::all_gather, 1e9, 8), 0.875, 1e-12);
  const System other = with({{path, 1}}).system;
  EXPECT_TRUE(other.networks[0].curves.empty());
  EXPECT_EQ(other.networks[1].curves.size(), 1U);
}

TEST_F(Coefficients, OfSeveralFilesAddUpAndTheLastGoesFirst) {
  const std::string path = collectives(timings("all_reduce", 8, "fp16", "m/x"));
  System system = with({{path, 0}}).system;
  const std::string other = collectives(timings("all_gather", 8, "fp16", "m/x"));
  apply_coefficients({other, 0}, read_measured_times(other, Datatype::float16), system);
  EXPECT_NEAR(system.networks[0].seconds(Collective::all_reduce, 65536, 8), 20.65536e-6, 2e-7);
  EXPECT_NEAR(system.networks[0].seconds(Collective::all_gather, 65536, 8), 20.65536e-6, 2e-7);
  const std::string last = collectives(slower(timings("all_gather", 8, "fp16", "m/x")));
  apply_coefficients({last, 0}, read_measured_times(last, Datatype::float16), system);
  EXPECT_GT(system.networks[0].seconds(Collective::all_gather, 65536, 8), 25e-6);
}

TEST_F(Coefficients, AreReadOnceForAllThatIsReadUnderTheSameOptions) {
  const std::string path = collectives(timings("all_reduce", 8, "fp16", "m/x"));
  const ReadOptions options{.model = Model::assay, .coefficients = {{path, 0}}};
  const auto seconds = [&] {
    return read_configuration(sample_application(), sample_execution(), sample_system(),
                              {"APP", "EXE", "SYS"}, options)
        .system.networks[0]
        .seconds(Collective::all_reduce, 65536, 8);
  };
  const double before = seconds();
  folder_.file("collectives.json", "another file");
  EXPECT_EQ(seconds(), before);
  EXPECT_THAT(complaint({{path, 0}}), HasSubstr(path + ": not JSON"));
}

TEST_F(Coefficients, WithAFamilyThatIsNoneAreRefused) {
  const std::string path = collectives(timings("all_reduce", 8, "fp16", "m/x"));
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  text.replace(text.find("all_reduce,8,"), 13, "all_reduce,x,");
  const std::string bad = folder_.file("bad.json", text);
  EXPECT_THAT(complaint({{bad, 0}}),
              HasSubstr("expected a name 'system,operation,ranks,algorithm' from 2 ranks on"));
}

TEST_F(Coefficients, OfAMessageAreThoseOfTwo) {
  const std::string path = collectives(timings("send_recv", 2, "fp16", "m/x"));
  EXPECT_NEAR(with({{path, 0}}).system.networks[0].seconds(Collective::p2p, 65536, 1), 20.65536e-6, 2e-7);
}

TEST_F(Coefficients, AreSaidWithWhatIsLeftToTheTables) {
  const std::string path = collectives(timings("all_reduce", 2, "fp16", "m/x"));
  json execution = sample_execution();
  execution.update({{"num_procs", 4}, {"tensor_par", 2}, {"data_par", 2}, {"batch_size", 2}});
  EXPECT_THAT(
      pricing(with({{path, 0}}, sample_application(), execution)),
      testing::ElementsAre("network 0: " + path + ", on m (imported): all_reduce among 2",
                           "products: the system's table over FLOPs, which knows no shapes",
                           "data parallel, all_reduce among 2: the latency and bandwidth of network 1"));
}

// Query, key, value and the projection of a model of width 512: 2 x 512 x 512 x 512 FLOP at 200 TFLOP/s and
// 10 us; both models' step differs by more than any table of FLOPs could tell.
TEST_F(Coefficients, PriceProductsByTheirShapeInEachPass) {
  const std::string path = gemms("fp16");
  const Configuration configuration = with({{path, 0}});
  EXPECT_NEAR(configuration.system.matmul_s({512, 512, 512}), 10e-6 + 1e-14 * 512 * 512 * 512, 1e-6);
  json application = sample_application();
  application.update(
      {{"hidden", 512}, {"feedforward", 512}, {"seq_size", 512}, {"attn_heads", 4}, {"attn_size", 128}});
  const BlockCost measured = predict(with({{path, 0}}, application)).block;
  const BlockCost tables = predict(with({}, application)).block;
  const double six = 6 * configuration.system.matmul_s({512, 512, 512});
  // Without overlap a table's product is its FLOPs at 1 TFLOP/s and its 3 matrices of 512 KiB at 1 GB/s.
  const double six_of_tables = 6 * (2e-12 * 512 * 512 * 512 + 3 * 524288e-9);
  EXPECT_NEAR(tables.forward.seconds - measured.forward.seconds, six_of_tables - six, 1e-9);
  EXPECT_NEAR(tables.wgrad.seconds - measured.wgrad.seconds, six_of_tables - six, 1e-9);
}

TEST_F(Coefficients, AreFoundWhereTheSystemNamesThem) {
  collectives(timings("all_reduce", 8, "fp16", "m/x"));
  json system = sample_system();
  system["networks"][1]["coefficients"] = "collectives.json";
  const Configuration read =
      read_configuration(sample_application(), sample_execution(), system,
                         {"APP", "EXE", folder_.place("system.json")}, {.model = Model::assay});
  EXPECT_EQ(read.system.networks[1].curves.size(), 1U);
}

TEST_F(Coefficients, OfAnotherTypeAreRefusedTheOneOfTheSameWidthToo) {
  EXPECT_THAT(complaint({{gemms("bf16"), 0}}),
              HasSubstr("expected coefficients of fp16 in one layout, got bf16; --coefficients-dtype takes"));
  for (const char* other : {"fp32", "bf16"})
    EXPECT_THAT(
        complaint({{collectives(timings("all_reduce", 8, other, "m/x")), 0}}),
        HasSubstr(fmt::format("expected collectives of fp16, got {}; --coefficients-dtype takes", other)));
}

TEST_F(Coefficients, OfAnotherTypeAreTakenWhereAskedForAndTheOutputSaysSo) {
  const std::string path = collectives(timings("all_reduce", 8, "bf16", "m/x"));
  const Configuration read = read_configuration(
      sample_application(), sample_execution(), sample_system(), {"APP", "EXE", "SYS"},
      {.model = Model::assay, .coefficients = {{path, 0}, {gemms("bf16"), 0}}, .coefficients_dtype = "bf16"});
  EXPECT_NEAR(read.system.networks[0].seconds(Collective::all_reduce, 65536, 8), 20.65536e-6, 2e-7);
  ASSERT_EQ(read.coefficients.size(), 2U);
  for (const std::string& line : read.coefficients)
    EXPECT_THAT(line, HasSubstr("(bf16 in place of fp16, as asked)"));
}

TEST_F(Coefficients, PriceSizesNeverMeasuredAsEvaluateJudgesThem) {
  const std::string path = collectives(timings("all_reduce", 8, "fp16", "m/x"));
  const Network network = with({{path, 0}}).system.networks[0];
  const fit::CollectiveModels models = fit::read_collective_coefficients(path).models;
  const std::string family = models.families.begin()->first;
  for (const double bytes : {16.0, 300.0, 900.0, 3e9, 1e10, 1e11, 3e12}) {
    const double law_s = 1e-6 * models.time_us(family, "fp16", bytes);
    EXPECT_NEAR(network.seconds(Collective::all_reduce, bytes, 8), law_s, 2e-3 * law_s) << bytes;
  }
}

TEST_F(Coefficients, OfAKindThatIsNoneAreRefused) {
  const std::string path = folder_.file(
      "other.json", R"({"schema": "assay-coefficients", "schema_version": 1, "kind": "weather"})");
  EXPECT_THAT(complaint({{path, 0}}), HasSubstr(path + ": kind: expected one of gemm"));
}

TEST_F(Coefficients, OfTwoSystemsCannotBeToldApart) {
  const std::string rows = timings("all_reduce", 8, "fp16", "m/x") + timings("all_reduce", 8, "fp16", "m/y");
  EXPECT_THAT(complaint({{collectives(rows), 0}}),
              HasSubstr("all_reduce among 8 is of 'm/x' and of 'm/y': fit each in a separate file"));
}

TEST_F(Coefficients, OfNcclGoBeforeThoseOfOtherBackEndsOnTheSameMachine) {
  const auto path = [&](const char* first, const char* second) {
    return collectives(timings("all_reduce", 8, "fp16", first) + timings("all_reduce", 8, "fp16", second));
  };
  for (const std::string& both :
       {path("m/nccl gpus=8", "m/assay"), path("m/assay", "m/nccl gpus=8"), path("m/mpi", "m/nccl gpus=8")})
    EXPECT_EQ(with({{both, 0}}).system.networks[0].curves.at(0).source->origin().system, "m/nccl gpus=8");
}

TEST_F(Coefficients, OfAMessageAreOfTwoRanksHoweverManySentOneAtOnce) {
  const std::string path = collectives(timings("send_receive", 8, "fp16", "m/nccl"));
  EXPECT_NE(with({{path, 0}}).system.networks[0].curve(Collective::p2p, 4), nullptr);
}

TEST_F(Coefficients, OfANetworkThatIsNotThereAreRefused) {
  EXPECT_THAT(complaint({{collectives(timings("all_reduce", 8, "fp16", "m/x")), 2}}),
              HasSubstr("for network 2, where the system has 2"));
}

TEST(CoefficientFileFrom, TakesTheTierBeforeTheEqualsSign) {
  EXPECT_EQ(coefficient_file_from("a.json").path, "a.json");
  EXPECT_EQ(coefficient_file_from("a.json").tier, 0U);
  EXPECT_EQ(coefficient_file_from("1=a.json").path, "a.json");
  EXPECT_EQ(coefficient_file_from("1=a.json").tier, 1U);
  EXPECT_EQ(coefficient_file_from("x=1.json").path, "x=1.json");
}

}  // namespace
}  // namespace assay::model
