// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A prediction with a measured part of the machine is that of a system file with the part's own numbers.
#include "model/predict/measured/measured_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/laws/usage_fit.hpp"
#include "model/json/read_json.hpp"
#include "model/predict/answer/system_source.hpp"
#include "model/predict/measured/coefficients.hpp"
#include "model/predict/tests/sample_files.hpp"

namespace assay::model {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

/// Sizes of one curve at latency_us + bytes / gb_per_s.
std::string sizes(const std::string& curve, double latency_us, double gb_per_s) {
  const std::size_t comma = curve.find(',');
  std::string text;
  for (int power = 0; power <= 24; ++power) {
    const double bytes = static_cast<double>(1 << power);
    text += curve.substr(0, comma) + "," + std::to_string(bytes) + "," +
            std::to_string(latency_us + bytes * 1e-3 / gb_per_s) + curve.substr(comma) + "\n";
  }
  return text;
}

class PartOfTheMachine : public testing::Test {
 protected:
  std::string sizes_fit(fit::CoefficientsKind kind, const std::string& rows) {
    const std::string csv = folder_.file("s.csv", "operation,size_bytes,time_us,conditions,region\n" + rows);
    const auto timed = fit::read_size_timings(csv);
    const std::string path = folder_.place("sizes.json");
    fit::write_coefficients(
        path, fit::section_of(kind, provenance(timed), fit::SeenRows{}, fit::fit_sizes(timed, 1)));
    return path;
  }
  std::string loggp_fit(const std::string& more = "") {
    std::string rows = "operation,kind,size_bytes,time_us,conditions\n" + more;
    for (const double bytes : {1.0, 16.0, 4096.0, 1e6, 1e7}) {
      rows +=
          "write,latency," + std::to_string(bytes) + "," + std::to_string(4 + (bytes - 1) / 40e3) + ",a\n";
      rows += "write,stream," + std::to_string(bytes) + "," + std::to_string(1 + (bytes - 1) / 40e3) + ",a\n";
    }
    const auto timed = fit::read_verbs_timings(folder_.file("v.csv", rows));
    const std::string path = folder_.place("loggp.json");
    fit::write_coefficients(path,
                            fit::section_of(provenance(timed), fit::SeenRows{}, fit::fit_loggp(timed, 1)));
    return path;
  }
  std::string usage_fit(const std::string& rows) {
    const auto timed = fit::read_slowdowns(
        folder_.file("u.csv", "victim,aggressor,conditions,slowdown,slowdown_min,slowdown_max\n" + rows));
    const std::string path = folder_.place("usage.json");
    fit::write_coefficients(path, fit::section_of(provenance(timed), fit::SeenRows{}, fit::fit_usage(timed)));
    return path;
  }
  std::string overlap_fit(const std::string& rows) {
    const auto timed = fit::read_overlaps(
        folder_.file("o.csv", "operation,conditions,compute_us,communication_us,ideal_us,time_us\n" + rows));
    const std::string path = folder_.place("overlap.json");
    fit::write_coefficients(path,
                            fit::section_of(provenance(timed), fit::SeenRows{}, fit::fit_overlap(timed)));
    return path;
  }
  template <class Row>
  static fit::Provenance provenance(const fit::Timings<Row>& timed) {
    return fit::provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now");
  }

  static Configuration with(const std::vector<CoefficientFile>& files, const json& execution = {},
                            const std::function<void(json& system)>& change = {}) {
    json how = sample_execution(), system = sample_system(), what = sample_application();
    what["num_blocks"] = 4;  // fewer would leave nothing to offload
    how.update(execution.is_null() ? json::object() : execution);
    if (change) change(system);
    return read_configuration(what, how, system, {"APP", "EXE", "SYS"},
                              {.model = Model::assay, .coefficients = files});
  }
  static double total_s(const Configuration& of) { return predict(of).step.time.total_s; }
  static void same(const Configuration& measured, const Configuration& stated, const Configuration& without) {
    EXPECT_NEAR(total_s(measured) / total_s(stated), 1, 1e-6);
    EXPECT_GT(std::abs(total_s(measured) / total_s(without) - 1), 1e-3);
  }
  static std::string complaint(const CoefficientFile& file) {
    try {
      with({file});
    } catch (const core::Error& error) {
      return error.what();
    }
    return "nothing";
  }

  core::tests::TemporaryFolder folder_;
};

TEST_F(PartOfTheMachine, OfAFileOfSeveralWhatDoesNotApplyIsNamed) {
  fit::AllCoefficients all;
  all.sections[fit::CoefficientsKind::loggp] = read_ordered_json(loggp_fit());
  all.sections[fit::CoefficientsKind::interference] =
      read_ordered_json(usage_fit("stream,nccl,,1.25,1.2,1.3\n"));  // not of a product
  const std::string path = folder_.place("all.json");
  fit::write_coefficients(path, all);
  ReadOptions options{.model = Model::assay};
  add_sections({.path = path, .tier = 0}, options);
  ASSERT_EQ(options.coefficients.size(), 1U);
  EXPECT_EQ(options.coefficients[0].path, path + "#loggp");
  ASSERT_EQ(options.left_out.size(), 1U);
  EXPECT_THAT(options.left_out[0], HasSubstr("not used: " + path + "#interference"));
  const Configuration read = read_configuration(sample_application(), sample_execution(), sample_system(),
                                                {"APP", "EXE", "SYS"}, options);
  EXPECT_THAT(pricing(read), Contains(HasSubstr("#interference")));
}

TEST_F(PartOfTheMachine, OfTheFirstMemoryPricesWhatLayersMove) {
  const std::string path = sizes_fit(
      fit::CoefficientsKind::memory,
      sizes("cuda.copy,,cold", 0, 0.5) + sizes("cuda.copy,,hot", 0, 4) + sizes("host.copy,,memory", 0, 2));
  same(with({{path}}), with({}, {}, [](json& system) { system["mem1"]["GBps"] = 0.5; }), with({}));
  EXPECT_THAT(pricing(with({{path}})), Contains(HasSubstr("first memory: " + path + ", on ")));
  EXPECT_THAT(pricing(with({{path}})), Contains(HasSubstr("cuda.copy cold, from 1 to 16777216 bytes")));
}

TEST_F(PartOfTheMachine, OfTheFirstMemoryLeavesSmallerAmountsToTheTable) {
  std::string rows;
  for (const double bytes : {1e6, 1e7, 1e8, 1e9})
    rows += "copy," + std::to_string(bytes) + "," + std::to_string(10 + bytes / 2e6) + ",,memory\n";
  const Memory memory = with({{sizes_fit(fit::CoefficientsKind::memory, rows)}}).system.mem1;
  EXPECT_DOUBLE_EQ(memory.by_bytes.seconds(9e5), 9e5 * 1e-9);
  EXPECT_NEAR(memory.by_bytes.seconds(1e6), 10.5e-6, 1e-8);
  EXPECT_NEAR(memory.by_bytes.seconds(1e9), 510e-6, 1e-6);
  EXPECT_NEAR(memory.by_bytes.seconds(1e10), 5100e-6, 1e-5);
}

TEST_F(PartOfTheMachine, OfTheSecondMemoryIsTheSlowerWay) {
  const json offload = {{"weight_offload", true}};
  const std::string path =
      sizes_fit(fit::CoefficientsKind::links, sizes("cuda.copy,direction=h2d,", 0, 0.5) +
                                                  sizes("cuda.copy,direction=d2h,", 0, 0.01) +
                                                  sizes("cuda.copy,direction=both,", 0, 0.001));
  same(with({{path}}, offload), with({}, offload, [](json& system) { system["mem2"]["GBps"] = 0.01; }),
       with({}, offload));
  EXPECT_THAT(pricing(with({{path}})),
              Contains(HasSubstr("the slower of cuda.copy direction=h2d and cuda.copy direction=d2h")));
}

TEST_F(PartOfTheMachine, OfALinkPricesAPipelinesMessages) {
  const json stages = {{"num_procs", 2}, {"pipeline_par", 2}, {"tensor_par_net", 0}, {"pipeline_par_net", 1}};
  const std::string path = loggp_fit();
  const Configuration measured = with({{path, 1}}, stages);
  EXPECT_NEAR(measured.system.networks[1].seconds(Collective::p2p, 1e6, 1), (4 + 999999 / 40e3) * 1e-6,
              1e-10);
  same(measured,
       with({}, stages,
            [](json& system) {
              system["networks"][1].update({{"latency", 4e-6 - 1 / 40e9}, {"bandwidth", 40}});
            }),
       with({}, stages));
  EXPECT_THAT(pricing(measured), Contains(HasSubstr("p2p by LogGP of write a")));
  EXPECT_THAT(pricing(measured), Not(Contains(HasSubstr("pipeline parallel, p2p"))));
}

TEST_F(PartOfTheMachine, OfContestsIsTheProcessorUsageOfTheTier) {
  const json ring = {{"num_procs", 2}, {"tensor_par", 2}, {"tensor_par_overlap", "ring"}};
  const std::string path = usage_fit(
      "gemm,nccl,blocks=16,1.25,1.2,1.3\ngemm,sm_copy_d2h,blocks=8,2,1.9,2.1\nstream,nccl,,4,3.9,4.1\n");
  const auto fast = [](double usage) {
    return [usage](json& system) {
      system["networks"][0].update({{"bandwidth", 1000}, {"processor_usage", usage}});
      system["mem1"]["GBps"] = 1e9;  // else no GEMM is cut into pieces
    };
  };
  const Configuration measured = with({{path, 0}}, ring, fast(0));
  EXPECT_DOUBLE_EQ(measured.system.networks[0].processor_usage, 0.2);
  EXPECT_EQ(measured.system.networks[1].processor_usage, 0);
  EXPECT_DOUBLE_EQ(total_s(measured), total_s(with({}, ring, fast(0.2))));
  EXPECT_NE(total_s(measured), total_s(with({}, ring, fast(0))));
  EXPECT_THAT(pricing(measured), Contains(HasSubstr("processor usage 0.2 of gemm beside nccl blocks=16")));
}

TEST_F(PartOfTheMachine, GoesWhereMeasuredTimesGo) {
  const System from = with({{usage_fit("gemm,nccl,,1.25,1.2,1.3\n"), 1},
                            {sizes_fit(fit::CoefficientsKind::memory, sizes("copy,,memory", 0, 0.5))}})
                          .system;
  System to = with({}).system;
  copy_measured_times(from, to);
  EXPECT_DOUBLE_EQ(to.networks[1].processor_usage, 0.2);
  EXPECT_EQ(to.mem1.by_bytes.seconds(1e6), from.mem1.by_bytes.seconds(1e6));
  EXPECT_EQ(to.mem2.by_bytes.seconds(1e6), with({}).system.mem2.by_bytes.seconds(1e6));
}

TEST_F(PartOfTheMachine, ThatCouldBeSeveralOrNoneIsRefused) {
  const auto memory = fit::CoefficientsKind::memory, links = fit::CoefficientsKind::links;
  EXPECT_THAT(complaint({sizes_fit(memory, sizes("copy,,memory", 0, 1) + sizes("triad,,memory", 0, 1))}),
              HasSubstr("expected one curve of memory beyond the caches, got 2: copy memory; triad memory; "
                        "fit it alone with --filter"));
  EXPECT_THAT(complaint({sizes_fit(memory, sizes("copy,,L2", 0, 1))}),
              HasSubstr("models: expected one curve of memory beyond the caches, got none"));
  EXPECT_THAT(complaint({sizes_fit(links, sizes("copy,direction=both,", 0, 1))}),
              HasSubstr("models: expected one curve of copies h2d or d2h, got none"));
  EXPECT_THAT(complaint({loggp_fit("write,latency,1,4,b\nwrite,latency,64,4,b\nwrite,latency,1000,4,b\n"
                                   "write,stream,1,4,b\nwrite,stream,1000,4,b\n")}),
              HasSubstr("expected one link, got 2: write a; write b"));
  EXPECT_THAT(
      complaint({usage_fit("stream,nccl,,1.25,1.2,1.3\n")}),
      HasSubstr("usage.json: models: expected one contest of gemm with nccl, sm_copy or copy, got none"));
  EXPECT_THAT(complaint({usage_fit("gemm,nccl,,1.25,1.2,1.3\n"), 7}), HasSubstr("for network 7, where"));
}

TEST_F(PartOfTheMachine, IsTheShareOfExchangesThatAPassHides) {
  const std::string gradients = "bucketed_all_reduce,ring,100,60,110,130\n",  // 0.6
      gathers = "prefetched_all_gather,ring,100,60,110,150\n";                // 0.2
  const json sharded = {{"num_procs", 4},
                        {"data_par", 4},
                        {"batch_size", 8},
                        {"data_par_overlap", true},
                        {"optimizer_sharding", true},
                        {"parameter_sharding", true}};
  const auto fast = [](json& system) { system["mem1"]["GBps"] = 1e6; };
  const auto stated = [&](json& system) {
    fast(system);
    system["networks"][1]["gradient_overlap"] = 0.6;
    system["networks"][1]["gather_overlap"] = 0.2;
  };
  const CoefficientFile file{.path = overlap_fit(gradients + gradients + gathers + gathers), .tier = 1};
  const Configuration measured = with({file}, sharded, fast);
  same(measured, with({}, sharded, stated), with({}, sharded, fast));
  EXPECT_THAT(pricing(measured),
              Contains(HasSubstr("overlap efficiency 0.6 of bucketed_all_reduce on a host twin, "
                                 "0.2 of prefetched_all_gather on a host twin")));
  System copy = with({}, sharded, fast).system;
  copy_measured_times(measured.system, copy);
  EXPECT_EQ(copy.networks[1].gather_overlap, measured.system.networks[1].gather_overlap);
  EXPECT_TRUE(copy.networks[1].overlap_is_measured);
}

TEST_F(PartOfTheMachine, OfOverlapIsThatOnGpusWhereThereIsOne) {
  const std::string file = overlap_fit(
      "bucketed_all_reduce,by=nccl dtype=bf16,100,60,110,120\n"  // 0.8
      "bucketed_all_reduce,algorithm=ring,100,60,110,130\n"
      "bucketed_all_reduce,algorithm=tree,100,60,110,140\n");
  EXPECT_THAT(pricing(with({{.path = file, .tier = 1}})),
              Contains(HasSubstr("overlap efficiency 0.8 of bucketed_all_reduce by NCCL on GPUs")));
}

TEST_F(PartOfTheMachine, OfOverlapIsOneOfItsOperation) {
  EXPECT_THAT(
      complaint({.path = overlap_fit("bucketed_all_reduce,ring,100,60,110,130\n"
                                     "bucketed_all_reduce,tree,100,60,110,140\n")}),
      HasSubstr("models: expected one overlap of bucketed_all_reduce, got 2: bucketed_all_reduce ring; "
                "bucketed_all_reduce tree; fit it alone with --filter"));
  EXPECT_THAT(
      pricing(with({{.path = overlap_fit("bucketed_all_reduce,ring,100,60,110,130\n"), .tier = 1}})),
      Contains(HasSubstr("overlap efficiency 0.6 of bucketed_all_reduce on a host twin (not determined)")));
  auto other = read_ordered_json(overlap_fit("bucketed_all_reduce,ring,100,60,110,130\n"));
  other["models"]["something_else ring"] = other["models"]["bucketed_all_reduce ring"];
  other["models"].erase("bucketed_all_reduce ring");
  EXPECT_THAT(
      complaint({.path = folder_.file("other.json", other.dump())}),
      HasSubstr("models: expected an overlap of bucketed_all_reduce or prefetched_all_gather, got none"));
}

}  // namespace
}  // namespace assay::model
