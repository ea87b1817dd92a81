// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/counts_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

CountsMatrix read(const std::string& text) {
  std::istringstream stream(text);
  return read_counts_matrix(stream, "traffic.txt");
}

std::string refusal_of_matrix(const std::string& text) {
  try {
    read(text);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(CountsMatrix, IsReadByRowsOfSenders) {
  const CountsMatrix matrix = read("# from rank 0, then 1\n0 3\n\n5,1 # back\r\n");
  EXPECT_EQ(matrix.ranks(), 2);
  EXPECT_EQ(matrix.at(0, 1), 3);
  EXPECT_EQ(matrix.at(1, 0), 5);
  EXPECT_EQ(matrix.sent_by(1), 6);
}

TEST(CountsMatrix, NamesTheLineOfAWordThatIsNoCount) {
  EXPECT_THAT(refusal_of_matrix("1 2\n3 x\n"), HasSubstr("traffic.txt:2: 'x' is not a number of elements"));
  EXPECT_THAT(refusal_of_matrix("1 -2\n3 4\n"), HasSubstr("traffic.txt:1: '-2' is not a number of elements"));
  EXPECT_THAT(refusal_of_matrix("1.5 2\n3 4\n"), HasSubstr("'1.5' is not"));
  EXPECT_THAT(refusal_of_matrix("1 99999999999999999999\n3 4\n"), HasSubstr("'99999999999999999999' is not"));
}

TEST(CountsMatrix, NamesTheLineOfARowOfAnotherLength) {
  EXPECT_THAT(refusal_of_matrix("1 2\n3 4 5\n"),
              HasSubstr("traffic.txt:2: 3 numbers, but the rows above have 2"));
}

TEST(CountsMatrix, MustBeSquare) {
  EXPECT_THAT(refusal_of_matrix("1 2 3\n4 5 6\n"), HasSubstr("traffic.txt: 2 rows of 3 numbers"));
  EXPECT_THROW(CountsMatrix({{1, 2}, {3}}), core::Error);
}

TEST(CountsMatrix, MustHaveARow) {
  EXPECT_THAT(refusal_of_matrix("# nothing\n"),
              HasSubstr("traffic.txt: no row: expected one line a sending rank"));
}

TEST(CountsMatrix, OfAFileThatIsNotThereNamesIt) {
  try {
    read_counts_matrix(std::filesystem::path("no-such-file.txt"));
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("no-such-file.txt: cannot be read"));
  }
}

}  // namespace
}  // namespace assay::collectives
