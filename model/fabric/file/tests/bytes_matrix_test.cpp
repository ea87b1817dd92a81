// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/bytes_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "model/fabric/file/workload_file.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;
using training::most_matrix_ranks;
using training::most_sent;
using training::read_bytes_matrix;

class MatrixFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& rows) const {
    std::ofstream(folder_ + "/moe.csv") << rows;
    return folder_ + "/moe.csv";
  }
  std::string refusal_of_rows(const std::string& rows) const {
    const std::string file = write(rows);
    return refusal_of([&] { static_cast<void>(read_bytes_matrix(file)); });
  }
  std::string refusal_of_operation(const std::string& lines) const {
    return refusal_of([&] { static_cast<void>(parse_workload(operation(lines), folder_ + "/w.toml")); });
  }
  static std::string operation(const std::string& lines) {
    return "ranks = 4\n[[stream]]\n[[stream.op]]\ncollective = 'all_to_all_v'\n" + lines;
  }
  template <class Read>
  static std::string refusal_of(const Read& read) {
    try {
      read();
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return error.what();
    }
    return "accepted";
  }

  std::string folder_ = testing::TempDir() + "bytes_matrix_" + std::to_string(getpid());
};

TEST_F(MatrixFile, HasARowForEachSender) {
  const BytesMatrix matrix = read_bytes_matrix(write("9, 1,2\r\n3,9,0\n\n5,6,9\n"));
  EXPECT_EQ(matrix, (BytesMatrix{{9, 1, 2}, {3, 9, 0}, {5, 6, 9}}));
  EXPECT_EQ(most_sent(matrix), 11U);
}

TEST_F(MatrixFile, IsRefusedWithItsLine) {
  EXPECT_THAT(refusal_of_rows("1,2\n3,-4\n"), HasSubstr("moe.csv:2: '-4': expected bytes as a whole number"));
  EXPECT_THAT(refusal_of_rows("1,x\n3,4\n"), HasSubstr("moe.csv:1: 'x': expected bytes"));
  EXPECT_THAT(refusal_of_rows("1,2,\n"), HasSubstr("moe.csv:1: '': expected bytes"));
  EXPECT_THAT(refusal_of_rows("1,1.5\n3,4\n"), HasSubstr("'1.5': expected bytes"));
  EXPECT_THAT(refusal_of_rows("1,99999999999999999999\n"), HasSubstr("expected bytes as a whole number"));
  EXPECT_THAT(refusal_of_rows("1152921504606846976,1\n"), HasSubstr("moe.csv:1: expected at most"));
  EXPECT_THAT(refusal_of_rows("1,2\n3\n"),
              HasSubstr("moe.csv:2: expected 2 numbers, as in the row before, got 1"));
  EXPECT_THAT(refusal_of_rows("1,2\n3,4\n5,6\n"),
              HasSubstr("moe.csv:3: expected 2 rows, one for each column"));
  EXPECT_THAT(refusal_of_rows("1,2\n"), HasSubstr("moe.csv: 1 rows of 2 numbers"));
  EXPECT_THAT(refusal_of_rows(""), HasSubstr("moe.csv: 0 rows of 0 numbers"));
  std::string long_row = "0";
  for (std::size_t at = 0; at < most_matrix_ranks; ++at) long_row += ",0";
  EXPECT_THAT(refusal_of_rows(long_row), HasSubstr("expected at most 4096 ranks, got 4097"));
  EXPECT_THAT(refusal_of_rows(std::string((1 << 20) + 1, '0')), HasSubstr("longer than a row can be"));
}

TEST_F(MatrixFile, GivesAnOperationItsBlocks) {
  write("0,1,2,3\n4,0,5,6\n7,8,0,9\n10,11,12,0\n");
  const WorkloadFile workload = parse_workload(operation("matrix = 'moe.csv'\n"), folder_ + "/w.toml");
  const Operation& one = workload.streams[0].operations[0];
  EXPECT_EQ(one.blocks, BlockSizes::matrix);
  EXPECT_EQ(one.bytes, 33U);
  EXPECT_EQ((*one.matrix)[3][2], 12U);
  EXPECT_EQ(one.text(), "33B all_to_all_v (by moe.csv) on 4 GPUs");
}

TEST_F(MatrixFile, IsForGroupsOfItsOwnSize) {
  write("0,1\n2,0\n");
  EXPECT_THAT(refusal_of_operation("matrix = 'moe.csv'\n"),
              HasSubstr("w.toml:5: stream.op.matrix: of 2 ranks for a group of 4"));
  EXPECT_EQ(refusal_of_operation("matrix = 'moe.csv'\ngroups = '0:4:1:2'\n"), "accepted");
  EXPECT_THAT(refusal_of_operation("matrix = 'moe.csv'\nbytes = '1MiB'\n"),
              HasSubstr("stream.op.bytes: expected only with a distribution"));
  EXPECT_THAT(refusal_of_operation("matrix = 'none.csv'\n"), HasSubstr("none.csv: "));
  write("0,0\n0,5\n");
  EXPECT_THAT(refusal_of_operation("matrix = 'moe.csv'\ngroups = '0:4:1:2'\n"),
              HasSubstr("stream.op.matrix: no rank sends anything to another"));
}

TEST_F(MatrixFile, OrADistributionIsWhatAnUnevenAllToAllNeeds) {
  const char* const either = "stream.op.matrix: expected either matrix, a CSV file, or distribution";
  EXPECT_THAT(refusal_of_operation(""), HasSubstr(either));
  EXPECT_THAT(refusal_of_operation("matrix = 'moe.csv'\ndistribution = 'zipf'\n"), HasSubstr(either));
  EXPECT_THAT(refusal_of_operation("distribution = 'normal'\n"),
              HasSubstr("stream.op.distribution: 'normal' is unknown"));
  EXPECT_THAT(refusal_of_operation("distribution = 'zipf'\n"), HasSubstr("stream.op.bytes: missing"));
  const WorkloadFile workload =
      parse_workload(operation("distribution = 'exponential'\nbytes = '4MiB'\nseed = 9\n"), "w.toml");
  EXPECT_EQ(workload.streams[0].operations[0].blocks, BlockSizes::exponential);
  EXPECT_EQ(workload.streams[0].operations[0].seed, 9U);
  EXPECT_EQ(workload.streams[0].operations[0].text(), "4MiB all_to_all_v (exponential) on 4 GPUs");
}

}  // namespace
}  // namespace assay::model::fabric
