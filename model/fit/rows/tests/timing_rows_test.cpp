// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every cell that cannot be is told with file, line and column.
#include "model/fit/rows/timing_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"

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
  const core::tests::TemporaryFolder folder;
  const auto timings =
      read_gemm_timings(folder.file("t.csv", "time_us,dtype,k,n,m,source\n2.5,bf16,3,2,1,lab/a\n"));
  ASSERT_EQ(timings.rows.size(), 1u);
  EXPECT_EQ(timings.rows[0].shape.flop(), 12);
  EXPECT_EQ(timings.rows[0].time_us, 2.5);
  EXPECT_EQ(timings.machine, "lab");
}

TEST(GemmTimings, MayBeginWithAByteOrderMark) {
  EXPECT_EQ(read_gemm_timings({"rows", "\xEF\xBB\xBFtime_us,dtype,k,n,m\n2.5,bf16,3,2,1\n"}).rows.size(), 1u);
}

TEST(GemmTimings, AreBounded) {
  std::string rows = "m,n,k,dtype,time_us\n";
  for (int i = 0; i < 200'001; ++i) rows += "1,2,3,bf16,1\n";
  EXPECT_EQ(core::tests::message_of([&] { read_gemm_timings({"rows", rows}); }),
            "rows: has more than 200000 rows; expected a sample of them (shuf -n 200000)");
}

TEST(GemmTimings, OfABatchCountEveryProductAndKeepApartFromSingleOnes) {
  const auto rows = read_gemm_timings({"rows",
                                       "m,n,k,batch,dtype,layout,time_us\n"
                                       "1,2,3,,bf16,,1\n1,2,3,1,bf16,,1\n1,2,3,4,bf16,,1\n"
                                       "1,2,3,8,bf16,,1\n1,2,3,4,bf16,TN,1\n"
                                       "1,2,3,1,bf16,batched/scores TN,1\n"})
                        .rows;
  EXPECT_EQ(rows[2].shape.flop(), 4 * rows[0].shape.flop());
  std::vector<std::string> groups;
  for (const GemmRow& row : rows) groups.push_back(row.group());
  EXPECT_THAT(groups, testing::ElementsAre("bf16", "bf16", "bf16/batched", "bf16/batched", "bf16/batched/TN",
                                           "bf16/batched/scores TN"));
  EXPECT_EQ(rows[0].key(), "gemm,bf16,1,2,3");
  EXPECT_EQ(rows[0].key(), rows[1].key()) << "no batch is a batch of one";
  EXPECT_NE(rows[2].key(), rows[3].key()) << "batches differ as shapes do";
}

TEST(GemmTimings, WithBytesThatAreNoTextAreRefused) {
  const core::tests::TemporaryFolder folder;
  for (const std::string source : {"\xff", "a\x1b[2J", "a\xc2\x9b"})
    EXPECT_THAT(core::tests::message_of([&] {
                  read_gemm_timings(
                      folder.file("t.csv", "time_us,dtype,k,n,m,source\n2.5,bf16,3,2,1," + source + "\n"));
                }),
                testing::HasSubstr("t.csv:2: expected UTF-8 text without control characters"));
}

TEST(GemmTimings, SayWhatTheirNumbersAre) {
  const auto origin = [](const std::string& column, const std::string& rows) {
    return read_gemm_timings({"rows", "m,n,k,dtype,time_us" + column + "\n" + rows}).table.origin();
  };
  EXPECT_EQ(origin("", "1,2,3,bf16,2.5\n"), "imported");
  EXPECT_EQ(origin(",origin", "1,2,3,bf16,2.5,measured\n"), "measured");
  EXPECT_EQ(origin(",origin", "1,2,3,bf16,2.5,simulated\n1,2,4,bf16,2.5,measured\n"),
            "measured and simulated");
  EXPECT_EQ(core::tests::message_of([&] { origin(",origin", "1,2,3,bf16,2.5,guessed\n"); }),
            "rows:2: column 'origin': expected measured, imported, simulated or predicted, got 'guessed'");
}

TEST(CollectiveTimings, OfTwoSystemsAreTwoFamilies) {
  const core::tests::TemporaryFolder folder;
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
  const core::tests::TemporaryFolder folder;
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
                    BadTable{"m,n,k,dtype,time_us,m\n1,2,3,bf16,3,1\n", ":1: column 'm' is there twice"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16\n", ":2: has 4 cells; expected 5"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,nan\n",
                             ":2: column 'time_us': expected a number above 0, got 'nan'"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,inf\n", ":2: column 'time_us'"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,-1\n", ":2: column 'time_us'"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,bf16,1\n1,2,0,bf16,1\n",
                             ":3: column 'k': expected a whole number from 1"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3.5,bf16,1\n", ":2: column 'k'"},
                    BadTable{"m,n,k,batch,dtype,time_us\n1,2,3,0,bf16,1\n",
                             ":2: column 'batch': expected a whole number from 1"},
                    BadTable{"m,n,k,dtype,time_us\n1,2,3,,1\n", ":2: column 'dtype': expected a word"},
                    BadTable{"m,n,k,dtype,time_us,source\n1,2,3,bf16,1,a/x\n1,2,3,bf16,1,b/x\n",
                             ":3: column 'source': 'b' after 'a'"},
                    BadTable{"m,n,k,dtype,time_us,machine\n1,2,3,bf16,1,a\n1,2,3,bf16,1,b\n",
                             ":3: column 'machine': 'b' after 'a'"}));

TEST(GemmTimings, OfAFileThatIsNotThereAreAUsageError) {
  EXPECT_THROW(read_gemm_timings("/nowhere/t.csv"), core::Error);
  EXPECT_THAT([] { read_gemm_timings("/"); },
              testing::ThrowsMessage<core::Error>(HasSubstr("/: is a folder; expected a CSV file")));
}

class BadCollectiveTable : public testing::TestWithParam<BadTable> {};

TEST_P(BadCollectiveTable, IsToldWhere) {
  const core::tests::TemporaryFolder folder;
  const std::string path =
      folder.file("bad.csv", "op,ranks,size_bytes,bytes_per_rank,dtype,time_us\nall_reduce,2,8,8,fp16,5\n" +
                                 std::string(GetParam().content) + "\n");
  EXPECT_THAT([&] { read_collective_timings(path); },
              testing::ThrowsMessage<core::Error>(
                  testing::AllOf(HasSubstr("bad.csv:3: column "), HasSubstr(GetParam().says))));
}

INSTANTIATE_TEST_SUITE_P(
    Content, BadCollectiveTable,
    testing::Values(
        BadTable{"allreduce,2,8,8,fp16,5", "'op': expected one of all_reduce, all_gather, reduce_scatter,"},
        BadTable{"allreduce,2,8,8,fp16,5", "send_receive, got 'allreduce'"},
        BadTable{"all_reduce,2,8,8,fp5,5", "'dtype': expected one of fp64, fp32, fp16,"},
        BadTable{"all_reduce,2,8,8,fp5,5", ", got 'fp5'"},
        BadTable{"all_reduce,2,8,4,fp16,5",
                 "'bytes_per_rank': 4, where all_reduce of size_bytes 8 among 2 ranks has 8"},
        BadTable{"all_gather,4,4096,4096,fp16,5",
                 "'bytes_per_rank': 4096, where all_gather of size_bytes 4096 among 4 ranks has 1024"},
        BadTable{"all_reduce,2,8,-8,fp16,5", "'bytes_per_rank': expected a number above 0"}));

TEST(CollectiveTimings, MayLackTheBytesOfARankOrRoundThem) {
  const core::tests::TemporaryFolder folder;
  EXPECT_NO_THROW(read_collective_timings(
      folder.file("t.csv",
                  "op,ranks,size_bytes,bytes_per_rank,dtype,time_us\n"
                  "all_gather,3,10,4,fp16,5\nall_gather,3,10,,fp16,5\nall_reduce,3,10,10,float32,5\n")));
}

TEST(CollectiveTimings, OfOneRankAreAUsageError) {
  const core::tests::TemporaryFolder folder;
  EXPECT_THROW(read_collective_timings(
                   folder.file("t.csv", "op,ranks,size_bytes,dtype,time_us\nall_reduce,1,8,fp16,5\n")),
               core::Error);
}

TEST(CsvSource, OfAPipeIsReadOnceForAllItsCopies) {
  const std::string rows = "op,ranks,size_bytes,dtype,time_us\nall_reduce,2,64,fp16,5\n";
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const core::Descriptor from(ends[0]);
  {
    const core::Descriptor into(ends[1]);
    ASSERT_EQ(write(into.get(), rows.data(), rows.size()), std::ssize(rows));
  }
  const CsvSource source("/dev/fd/" + std::to_string(from.get()));
  const CsvSource copy = source;
  EXPECT_EQ(read_collective_timings(source).rows.size(), 1U);
  EXPECT_EQ(read_collective_timings(copy).rows.size(), 1U);
}

TEST(CollectiveTimings, OfTheOlderNamesOfDtypesAreOfTheSameDtype) {
  const auto rows = read_collective_timings({"old",
                                             "op,ranks,size_bytes,dtype,time_us\n"
                                             "all_reduce,2,64,float32,1\nall_reduce,2,64,fp32,1\n"
                                             "all_reduce,2,64,bfloat16,1\nall_reduce,2,64,int8,1\n"})
                        .rows;
  EXPECT_EQ(rows[0].key(), rows[1].key());
  EXPECT_EQ(rows[2].dtype, "bf16");
  EXPECT_EQ(rows[3].dtype, "int8");
}

}  // namespace
}  // namespace assay::model::fit
