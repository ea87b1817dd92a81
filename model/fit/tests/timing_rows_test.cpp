// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every cell that cannot be is told with file, line and column.
#include "model/fit/timing_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/sha256.hpp"
#include "model/fit/tests/temporary_csv.hpp"

namespace assay::model::fit {
namespace {

using testing::HasSubstr;

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(core::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(core::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(core::sha256_prefix("abc"), 0xba7816bf8f01cfeaU);
}

TEST(SplitBucket, DependsOnSeedAndKeyAlone) {
  EXPECT_EQ(split_bucket(1, "gemm,bf16,1,2,3"), split_bucket(1, "gemm,bf16,1,2,3"));
  EXPECT_NE(split_bucket(1, "gemm,bf16,1,2,3"), split_bucket(2, "gemm,bf16,1,2,3"));
}

TEST(GemmTimings, AreReadByTheNamesOfTheirColumns) {
  const TemporaryFolder folder;
  const auto timings =
      read_gemm_timings(folder.file("t.csv", "time_us,dtype,k,n,m,source\n2.5,bf16,3,2,1,lab/a\n"));
  ASSERT_EQ(timings.rows.size(), 1u);
  EXPECT_EQ(timings.rows[0].shape.flop(), 12);
  EXPECT_EQ(timings.rows[0].time_us, 2.5);
  EXPECT_EQ(timings.machine, "lab");
}

TEST(CollectiveTimings, OfTwoSystemsAreTwoFamilies) {
  const TemporaryFolder folder;
  const auto timings = read_collective_timings(
      folder.file("t.csv",
                  "op,ranks,size_bytes,dtype,time_us,source,devices_per_node\n"
                  "all_reduce,2,1024,fp16,5,lab/a,2\nall_reduce,2,1024,fp16,9,lab/a,1\n"));
  EXPECT_NE(timings.rows[0].family(), timings.rows[1].family());
}

struct BadTable {
  const char* content;
  const char* says;
};

class BadGemmTable : public testing::TestWithParam<BadTable> {};

TEST_P(BadGemmTable, IsToldWhere) {
  const TemporaryFolder folder;
  const std::string path = folder.file("bad.csv", GetParam().content);
  try {
    read_gemm_timings(path);
    FAIL() << "was read";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr("bad.csv"));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Content, BadGemmTable,
    testing::Values(BadTable{"", "is empty"}, BadTable{"m,n,k,dtype,time_us\n", "no row"},
                    BadTable{"m,n,dtype,time_us\n1,2,bf16,3\n", ":1: column 'k' is missing"},
                    BadTable{"m,n,k,dtype,time_us,colour\n1,2,3,bf16,3,red\n", ":1: unknown column 'colour'"},
                    BadTable{"m,n,k,dtype,time_us,m\n1,2,3,bf16,3,1\n", ":1: column 'm' stands twice"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16\n", ":2: has 4 cells; expected 5"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,nan\n",
                             ":2: column 'time_us': expected a number above 0, got 'nan'"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,inf\n", ":2: column 'time_us'"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,-1\n", ":2: column 'time_us'"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,1\n1,2,0,bf16,1\n",
                             ":3: column 'k': expected a whole number from 1"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3.5,bf16,1\n", ":2: column 'k'"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,,1\n", ":2: column 'dtype': expected a word"},
                    BadTable{"m,n,k,dtype,time_us,source\n1,2,3,bf16,1,a/x\n1,2,3,bf16,1,b/x\n",
                             ":3: column 'source': 'b' after 'a'"},
                    BadTable{"m,n,k,dtype,time_us,machine\n1,2,3,bf16,1,a\n1,2,3,bf16,1,b\n",
                             ":3: column 'machine': 'b' after 'a'"}));

TEST(GemmTimings, OfAFileThatIsNotThereAreAUsageError) {
  EXPECT_THROW(read_gemm_timings("/nowhere/t.csv"), core::Error);
}

TEST(CollectiveTimings, OfOneRankAreAUsageError) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_collective_timings(
                   folder.file("t.csv", "op,ranks,size_bytes,dtype,time_us\nall_reduce,1,8,fp16,5\n")),
               core::Error);
}

}  // namespace
}  // namespace assay::model::fit
