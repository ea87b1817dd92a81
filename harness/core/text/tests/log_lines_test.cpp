// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/log_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <sstream>

namespace assay::core {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::string level_of(const std::string& text) {
  const std::string line = log_line("assay", false, text, "");
  const std::size_t begin = line.find("\"level\":\"") + 9;
  return line.substr(begin, line.find('"', begin) - begin);
}

TEST(LogLine, IsOneObjectALine) {
  EXPECT_THAT(log_line("assay", true, "a \"b\" \\ \x01\xff", "\"n\":1"),
              MatchesRegex(R"(\{"time":"[-0-9]+T[0-9:.]+Z","level":"info","program":"assay",)"
                           R"("message":"a \\"b\\" \\\\ \\\\x01\\\\xff","fields":\{"n":1\}\}.)"));
}

TEST(LogLine, HasTheLevelThatTheTextBeginsWith) {
  EXPECT_EQ(level_of("warning: a clock moved"), "warning");
  EXPECT_THAT(log_line("assay", false, "warning: a clock moved", ""),
              HasSubstr("\"message\":\"a clock moved\""));
  EXPECT_EQ(level_of("assay: no such plan"), "error");
  EXPECT_EQ(level_of("assay-gemm: no answer"), "error");
  EXPECT_EQ(level_of("slurmstepd: task 0 ended"), "warning");
  EXPECT_EQ(level_of("assay is a word: of a sentence"), "warning");
}

TEST(LogFields, AreNothingInALineForPeople) {
  std::ostringstream out;
  out << "12 points" << LogFields{{"points", 12}} << "\n";
  EXPECT_EQ(out.str(), "12 points\n");
}

/// In a process of its own: it diverts standard error.
void write_a_log() {
  log_as_json("assay");
  status_stream() << "run r: 12 points"
                  << LogFields{{"points", 12}, {"share", 0.5}, {"none", NAN}, {"run", std::string("r\"")}}
                  << "\n\n";
  std::cerr << "assay: no\n{\"time\":\"of a module\"}\nhalf a line";
  std::exit(0);  // NOLINT(concurrency-mt-unsafe): one thread
}

TEST(LogAsJson, WritesStatusAndStandardErrorAsOneLog) {
  EXPECT_EXIT(write_a_log(), testing::ExitedWithCode(0),
              testing::AllOf(HasSubstr("\"level\":\"info\",\"program\":\"assay\",\"message\":\"run r: 12 "
                                       "points\",\"fields\":{\"points\":12,\"share\":0.5,\"none\":null,"
                                       "\"run\":\"r\\\"\"}}\n"),
                             HasSubstr("\"level\":\"error\",\"program\":\"assay\",\"message\":\"assay: "
                                       "no\",\"fields\":{}}\n{\"time\":\"of a module\"}\n"),
                             HasSubstr("\"message\":\"half a line\"")));
}

}  // namespace
}  // namespace assay::core
