// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Exports that a tool's format has no place for end with one line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/exporters/exported.hpp"
#include "model/exporters/tests/made_timings.hpp"

namespace assay::model::exporters {
namespace {

using core::tests::message_of;
using testing::HasSubstr;

class RefusedExports : public testing::Test {
 protected:
  std::string base(const std::string& text) const { return folder_.file("base", text); }
  core::tests::TemporaryFolder folder_;
};

TEST_F(RefusedExports, RefuseWhatTheyCannotSayInOneLine) {
  EXPECT_THAT(message_of([] { made_by("astra-sim", {}); }), HasSubstr("expected timings of collectives"));
  EXPECT_THAT(message_of([] { made_by("aiconfigurator", {.base = "none"}); }),
              HasSubstr("none: cannot be read"));
  EXPECT_THAT(message_of([&] { made_by("aiconfigurator", {.base = base(aic_base)}); }),
              HasSubstr("expected timings of a memory"));
  EXPECT_THAT(message_of([&] { made_by("aiconfigurator", {.base = base("gpu:\n")}); }),
              HasSubstr("key 'mem_bw': is missing"));
  EXPECT_THAT(message_of([] { made_by("genz", {.collectives = ring({"all_reduce"})}); }),
              HasSubstr("export genz: expected --base"));
  EXPECT_THAT(message_of([&] { made_by("genz", {.collectives = ring({"all_reduce"}), .base = base("{}")}); }),
              HasSubstr("key 'Flops': expected a number above 0"));
  EXPECT_THAT(message_of([&] { made_by("genz", {.collectives = ring({"all_reduce"}), .base = base("[")}); }),
              HasSubstr("base: not JSON: line 1, column 2: expected a value"));
  EXPECT_THAT(message_of([&] { made_by("genz", {.collectives = ring({"all_reduce"}), .base = base("[]")}); }),
              HasSubstr("expected a JSON object"));
  EXPECT_THAT(
      message_of([&] { made_by("genz", {.collectives = ring({"send_recv"}), .base = base(genz_base)}); }),
      HasSubstr("made: 0 rows that GenZ has a formula for (all_reduce, all_gather, all_to_all)"));
}

TEST_F(RefusedExports, RefuseOrDoubtRatesThatNoHardwareReaches) {
  const auto with_row = [](const char* row) {
    return made_by("astra-sim", {.collectives = ring({"all_reduce"}, 0, row)});
  };
  EXPECT_THAT(message_of([&] { with_row("all_reduce,8,1073741824,fp16,5\n"); }),
              HasSubstr("made:19: column 'time_us': 187.9 TB/s, above 100 times NVLink's 0.45 TB/s"));
  EXPECT_THAT(with_row("all_reduce,8,1073741824,fp16,100\n").notes.front(),
              HasSubstr("made:19: column 'time_us': 9.395 TB/s, above 3.6 TB/s, twice what the newest"));
}

TEST_F(RefusedExports, NameTheRegionsOfAMemory) {
  EXPECT_THAT(
      message_of([&] {
        made_by("aiconfigurator", {.memory = CsvSource("m", "operation,size_bytes,time_us\ncopy,1024,1\n"),
                                   .base = base(aic_base)});
      }),
      HasSubstr("m: 0 rows of a memory beyond the caches: expected 4 or more whose column region says "
                "memory or cold"));
}

TEST_F(RefusedExports, RefuseToPoolRanksDtypesAndSystems) {
  EXPECT_THAT(message_of([] {
                made_by("astra-sim", {.collectives = ring({"all_reduce"}, 0, "all_reduce,4,64,fp16,9\n")});
              }),
              HasSubstr("made: collectives of several numbers of ranks (4, 8): choose one with --ranks"));
  EXPECT_THAT(message_of([] {
                made_by("astra-sim", {.collectives = ring({"all_reduce"}, 0, "all_reduce,8,64,int8,9\n")});
              }),
              HasSubstr("several dtypes (fp16, int8): choose one with --dtype"));
  const CsvSource two{"two",
                      "op,ranks,size_bytes,dtype,algorithm,time_us\nall_reduce,8,64,fp16,ring,9\nall_reduce,"
                      "8,64,fp16,tree,9\n"};
  EXPECT_THAT(message_of([&] { made_by("astra-sim", {.collectives = two}); }),
              HasSubstr("two: collectives of several algorithms (ring, tree): choose one with --algorithm"));
  EXPECT_THAT(message_of([&] { made_by("astra-sim", {.collectives = two, .algorithm = "tree"}); }),
              HasSubstr("two: 1 rows that ASTRA-sim's ring has a formula for"));
  const Exported chosen = made_by(
      "astra-sim",
      {.collectives = ring({"all_reduce"}, 0, "all_reduce,4,64,fp16,9\n"), .ranks = 8, .dtype = "fp16"});
  EXPECT_THAT(chosen.files[0].text, HasSubstr("npus_count: [ 8 ]"));
}

/// A ring of 8 within a node, and one of 8 on 2 nodes that takes 4 times as long.
CsvSource ring_of_both_tiers() {
  std::string text = "op,ranks,nodes,size_bytes,dtype,time_us\n";
  for (const auto& [nodes, times] : {std::pair(1, 1.0), {2, 4.0}})
    for (int power = least_power; power <= most_power; ++power)
      text += fmt::format("all_reduce,8,{},{:.0f},fp16,{:.9g}\n", nodes, std::exp2(power),
                          times * ring_us("all_reduce", std::exp2(power)));
  return {"made", text};
}

TEST_F(RefusedExports, RefuseToPoolCollectivesWithinANodeAndOverNodes) {
  const CsvSource both = ring_of_both_tiers();
  for (const char* tool : {"astra-sim", "genz", "llm-analysis"})
    EXPECT_THAT(message_of([&] { made_by(tool, {.collectives = both}); }),
                HasSubstr("made: collectives of several numbers of nodes (1, 2): choose one with --nodes"))
        << tool;
  const auto link = [&](std::int64_t nodes) {
    return made_by("astra-sim", {.collectives = both, .nodes = nodes}).fits.at(0).second.value(1);
  };
  EXPECT_NEAR(link(1) / link(2), 4, 0.01);
}

TEST_F(RefusedExports, RefuseToPoolGemmsAndTakeTheGroupThatIsNamed) {
  CsvSource two = gemms();
  *two.content += "16,16,16,fp16,5\n";
  ExportRequest request{.gemm = two, .collectives = ring({"all_reduce"})};
  EXPECT_EQ(message_of([&] { made_by("astra-sim", request); }),
            "gemms: GEMMs of several dtypes or layouts ('bf16', 'fp16'): choose one with --gemm");
  request.gemm_group = "fp8";
  EXPECT_EQ(message_of([&] { made_by("astra-sim", request); }),
            "gemms: no GEMM of 'fp8' (there are: 'bf16', 'fp16')");
  request.gemm_group = "bf16";
  const auto system = core::json_from<nlohmann::json>(made_by("astra-sim", request).files[1].text);
  EXPECT_NEAR(system["peak-perf"].get<double>(), 500, 1);
}

TEST_F(RefusedExports, RefuseAnEfficiencyAboveOne) {
  nlohmann::json slow = core::json_from<nlohmann::json>(llm_base);
  slow["peak_fp16_TFLOPS"] = 400;
  EXPECT_THAT(
      message_of([&] {
        made_by("llm-analysis",
                {.gemm = gemms(), .collectives = CsvSource("made", floored()), .base = base(slow.dump())});
      }),
      HasSubstr("key 'peak_fp16_TFLOPS': 400 is less than the"));
}

}  // namespace
}  // namespace assay::model::exporters
