// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/possible_rates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "harness/core/error.hpp"

namespace assay::model::fit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

Timings<GemmRow> gemms(const std::string& rows) {
  return read_gemm_timings(CsvSource("t.csv", "m,n,k,dtype,time_us\n" + rows));
}
Timings<CollectiveRow> collectives(const std::string& rows) {
  return read_collective_timings(CsvSource("t.csv", "op,ranks,size_bytes,dtype,time_us\n" + rows));
}
Timings<SizeRow> sizes(const std::string& rows) {
  return read_size_timings(CsvSource("t.csv", "operation,size_bytes,time_us,region\n" + rows));
}
Timings<VerbsRow> messages(const std::string& rows) {
  return read_verbs_timings(CsvSource("t.csv", "operation,kind,size_bytes,time_us\n" + rows));
}

TEST(PossibleRates, OfAnH100AreTaken) {
  EXPECT_THAT(gemms("8192,8192,8192,bf16,1570\n1,8192,8192,fp8_e4m3,30\n").doubts, ElementsAre());
  EXPECT_THAT(collectives("all_reduce,8,8589934592,fp16,31261\nall_gather,16,8,fp16,12\n").doubts,
              ElementsAre());
  EXPECT_THAT(sizes("copy,1073741824,340,memory\ncopy,65536,0.001,L1\n").doubts, ElementsAre());
  EXPECT_THAT(messages("write,stream,1048576,21\nwrite,overhead,1073741824,0.1\n").doubts, ElementsAre());
}

TEST(PossibleRates, InMillisecondsAreRefusedWithRowAndColumn) {
  EXPECT_THAT(
      refusal([] { gemms("1024,1024,1024,bf16,7\n8192,8192,8192,bf16,1.57\n"); }),
      HasSubstr("t.csv:3: column 'time_us': 7.003e+05 TFLOP/s, above 100 times an H100's 989 TFLOP/s"));
  EXPECT_THAT(refusal([] { gemms("1,8192,8192,bf16,0.045\n"); }),
              HasSubstr("TB/s, above 100 times an H100's 3.35 TB/s"));
  EXPECT_THAT(refusal([] { collectives("all_reduce,8,8589934592,fp16,31.26\n"); }),
              HasSubstr("t.csv:2: column 'time_us': 240.4 TB/s, above 100 times NVLink's 0.45 TB/s"));
  EXPECT_THAT(refusal([] { sizes("copy,1073741824,0.34,memory\n"); }),
              HasSubstr("column 'time_us': 3158 TB/s"));
  EXPECT_THAT(refusal([] { sizes("copy,1073741824,0.34,L2\n"); }), HasSubstr("column 'time_us'"));
  EXPECT_THAT(refusal([] { messages("write,latency,1048576,0.021\n"); }), HasSubstr("column 'time_us'"));
}

TEST(PossibleRates, AboveTwiceTheNewestHardwareAreDoubted) {
  EXPECT_THAT(
      collectives("all_reduce,8,8589934592,fp16,1000\nall_reduce,8,4294967296,fp16,500\n").doubts,
      ElementsAre("t.csv:2: column 'time_us': 7.516 TB/s, above 3.6 TB/s, twice what the newest hardware "
                  "does: are times in us, and sizes in bytes? So are 1 more rows."));
  EXPECT_EQ(gemms("8192,8192,8192,bf16,100\n").doubts.size(), 1U);
  EXPECT_EQ(gemms("8192,8192,8192,fp8_e4m3,100\n").doubts.size(), 0U);
  EXPECT_EQ(sizes("copy,1073741824,20,memory\n").doubts.size(), 1U);
  EXPECT_EQ(messages("write,stream,1048576,2\n").doubts.size(), 1U);
}

TEST(PossibleRates, OfLinksGrowWithTheGeneration) {
  EXPECT_EQ(link_limits(312e12).of_domain, 300e9);
  EXPECT_EQ(link_limits(989e12).of_domain, 450e9);
  EXPECT_EQ(link_limits(989e12).of_adapter, 50e9);
  EXPECT_EQ(link_limits(2250e12).of_domain, 900e9);
  EXPECT_EQ(link_limits(4000e12).of_adapter, 200e9);
}

}  // namespace
}  // namespace assay::model::fit
