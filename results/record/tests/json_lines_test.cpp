// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "results/record/journal.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::sample_context;
using test::sample_end;
using test::sample_point;
using test::unsupported_point;

std::string problem_of(const std::string& line) {
  try {
    from_line(line);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no problem";
}

/// A line with its crc made right again after an edit.
std::string sealed(std::string line, const std::string& from, const std::string& to) {
  line.resize(line.rfind(",\"crc32\""));
  const auto at = line.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  line.replace(at, from.size(), to);
  char crc[9];
  std::snprintf(crc, sizeof crc, "%08lx",
                ::crc32(0, reinterpret_cast<const Bytef*>(line.data()), static_cast<uInt>(line.size())));
  return line + ",\"crc32\":\"" + crc + "\"}";
}

TEST(JsonLines, APointReadsBackToTheSameLine) {
  const std::string line = to_line(sample_point());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(to_line(from_line(line)), line);
  const auto point = std::get<PointRecord>(from_line(line));
  EXPECT_EQ(point.case_name, "memory.host.copy");
  EXPECT_EQ(point.point[1], (std::pair<std::string, Scalar>{"threads", std::int64_t{2}}));
  EXPECT_EQ(point.samples_s, (std::vector<double>{0.09, 0.1, 0.11}));
  EXPECT_EQ(point.metrics[0].lower, 19.5);
  EXPECT_EQ(point.time->p95_s, 0.11);
  EXPECT_FALSE(point.time->p99_s);
  EXPECT_EQ(std::get<double>(point.conditions[1].second), 2400.5);
}

TEST(JsonLines, QueuePairsOfAFlowReadBackAndAreRefusedWhereTheyAreNone) {
  PointRecord point = sample_point();
  point.flows = {{.from = 0, .to = 1, .gb_per_s = 48, .queue_pairs = {{49153, 17}, {65535, 0xFFFFFF}}}};
  const std::string line = to_line(point);
  EXPECT_EQ(to_line(from_line(line)), line);
  EXPECT_EQ(std::get<PointRecord>(from_line(line)).flows[0].queue_pairs, point.flows[0].queue_pairs);
  EXPECT_THAT(problem_of(sealed(line, "[49153,", "[65536,")),
              testing::HasSubstr("source_ports': expected a whole number from 0 to 65535"));
  EXPECT_THAT(problem_of(sealed(line, "[17,", "[-1,")), testing::HasSubstr("destination_qpns"));
  EXPECT_THAT(problem_of(sealed(line, "[17,16777215]", "[17]")),
              testing::HasSubstr("destination_qpns': expected as many as source_ports"));
}

TEST(JsonLines, ContextEndAndUnsupportedReadBackToTheSameLine) {
  for (const Record& record : {Record(sample_context()), Record(sample_end()), Record(unsupported_point())})
    EXPECT_EQ(to_line(from_line(to_line(record))), to_line(record));
  const auto context = std::get<ContextRecord>(from_line(to_line(sample_context())));
  EXPECT_EQ(context.machine["cpu"]["cores"], 2);
  EXPECT_EQ(context.command_line[1], "--plan");
}

TEST(JsonLines, TheEndRecordHasThisVeryForm) {
  EXPECT_EQ(to_line(sample_end()),
            R"({"record":"end","schema":2,"run_id":"run-1","process":0,"module":"memory",)"
            R"("ended":"2026-01-02T03:05:00Z","points":2,"interrupted":false,"crc32":"71aba36d"})");
}

TEST(JsonLines, ALineOfSchema1CallsTheModuleARoom) {
  const std::string line =
      R"({"record":"end","schema":1,"run_id":"run-1","process":0,"room":"memory",)"
      R"("ended":"2026-01-02T03:05:00Z","points":2,"interrupted":false,"crc32":"ea36e602"})";
  EXPECT_EQ(std::get<EndRecord>(from_line(line)).module, "memory");
  EXPECT_THAT(problem_of(sealed(line, "\"schema\":1", "\"schema\":2")), testing::HasSubstr("key 'module'"));
}

TEST(JsonLines, DoublesKeepEveryBit) {
  auto point = sample_point();
  point.samples_s = {0.1, 1.0 / 3, 5e-324, std::numeric_limits<double>::max(), 1.0, 123456789.12345679, -0.0};
  const auto back = std::get<PointRecord>(from_line(to_line(point)));
  EXPECT_EQ(back.samples_s, point.samples_s);
  EXPECT_TRUE(std::signbit(back.samples_s[6]));
  point.conditions = {{"whole", 3.0}, {"count", std::int64_t{3}}};
  const auto conditions = std::get<PointRecord>(from_line(to_line(point))).conditions;
  EXPECT_TRUE(std::holds_alternative<double>(conditions[0].second));
  EXPECT_TRUE(std::holds_alternative<std::int64_t>(conditions[1].second));
}

TEST(JsonLines, NanAndInfinityBecomeNullAndReadBackAsNan) {
  auto point = sample_point();
  point.samples_s = {NAN, 0.5, INFINITY};
  point.metrics[0].lower = NAN;
  point.time->cv = NAN;
  point.conditions = {{"watts", NAN}};
  const std::string line = to_line(point);
  EXPECT_THAT(line, testing::HasSubstr("\"samples_s\":[null,0.5,null]"));
  EXPECT_THAT(line, testing::HasSubstr("\"watts\":null"));
  const auto back = std::get<PointRecord>(from_line(line));
  EXPECT_TRUE(std::isnan(back.samples_s[0]));
  EXPECT_TRUE(std::isnan(back.time->cv));
  EXPECT_FALSE(back.metrics[0].lower);
  EXPECT_TRUE(std::isnan(std::get<double>(back.conditions[0].second)));
}

TEST(JsonLines, ControlCharactersAndBrokenUtf8DoNotBreakTheLine) {
  auto point = unsupported_point();
  point.reason = "line one\nline two\t\"quoted\" \xff\xfe";
  const std::string line = to_line(point);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_THAT(std::get<PointRecord>(from_line(line)).reason,
              testing::StartsWith("line one\nline two\t\"quoted\" "));
}

TEST(JsonLines, ATruncatedLineIsToldAtEveryLength) {
  const std::string line = to_line(sample_end());
  for (std::size_t length = 0; length < line.size(); ++length)
    EXPECT_THAT(problem_of(line.substr(0, length)), testing::HasSubstr("not JSON")) << length;
}

TEST(JsonLines, EveryFlippedBitIsCaught) {
  const std::string line = to_line(sample_end());
  for (std::size_t at = 0; at < line.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = line;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      EXPECT_NE(problem_of(damaged), "no problem") << at << " bit " << bit;
    }
}

TEST(JsonLines, AChangedDigitIsCaughtByTheCrc) {
  std::string line = to_line(sample_point());
  line.replace(line.find("21.47483648"), 2, "91");
  EXPECT_EQ(problem_of(line), "crc32 does not match: the line was damaged after it was written");
}

TEST(JsonLines, ANewerSchemaIsNamed) {
  EXPECT_EQ(problem_of(sealed(to_line(sample_end()), "\"schema\":2", "\"schema\":3")),
            "schema 3 is newer than this program reads (2)");
}

TEST(JsonLines, AnUnknownStatusWordIsNamed) {
  EXPECT_EQ(problem_of(sealed(to_line(sample_point()), "\"status\":\"ok\"", "\"status\":\"fine\"")),
            "key 'status': expected ok, unsupported, failed, wrong or timeout, found \"fine\"");
}

TEST(JsonLines, AWrongTypeNamesTheKey) {
  EXPECT_EQ(problem_of(sealed(to_line(sample_end()), "\"points\":2", "\"points\":\"two\"")),
            "key 'points': expected an integer, found \"two\"");
  EXPECT_EQ(problem_of(sealed(to_line(sample_point()), "\"cv\":0.1", "\"cv\":[]")),
            "key 'time.cv': expected a number or null, found []");
  EXPECT_EQ(problem_of(sealed(to_line(sample_end()), "\"points\":2", "\"points\":18446744073709551615")),
            "key 'points': expected an integer, found 18446744073709551615");
}

TEST(JsonLines, WhatTheSchemaForbidsIsNamed) {
  const auto problem = [](const char* from, const char* to) {
    return problem_of(sealed(to_line(sample_point()), from, to));
  };
  EXPECT_EQ(problem("\"quantile\":0.5", "\"quantile\":7.0"),
            "key 'time.quantile': expected a number from 0 to 1, found 7.0");
  EXPECT_EQ(problem("\"quantile\":0.5", "\"quantile\":null"),
            "key 'time.quantile': expected a number from 0 to 1, found null");
  EXPECT_EQ(problem("\"n\":3", "\"n\":-3"), "key 'time.n': expected a whole number from 0 on, found -3");
  EXPECT_EQ(problem("\"result\":\"right\"", "\"result\":\"sort of\""),
            "key 'verification.result': expected right, wrong or not_checked, found \"sort of\"");
  EXPECT_EQ(problem("\"stop\":\"interval\"", "\"stop\":\"tired\""),
            "key 'stop': expected interval, budget, samples or interrupted, found \"tired\"");
  EXPECT_EQ(problem("\"iterations_per_sample\":4", "\"iterations_per_sample\":0"),
            "key 'iterations_per_sample': expected a whole number from 1 on, found 0");
  EXPECT_EQ(problem("\"started\":\"2", "\"started\":\"yesterday, 2").substr(0, 80),
            "key 'started': expected a time such as 2026-11-29T08:30:00Z, found \"yesterday, 2");
  EXPECT_EQ(problem_of(sealed(to_line(sample_end()), "\"points\":2", "\"points\":-2")),
            "key 'points': expected a whole number from 0 on, found -2");
  PointRecord unexplained = test::unsupported_point();
  unexplained.reason = "";
  EXPECT_EQ(problem_of(to_line(unexplained)),
            "key 'reason': expected the reason of a point that is not ok, found \"\"");
  EXPECT_EQ(problem("threads=2", "threads=3").substr(0, 57),
            "key 'key': expected threads=2, as the point says, found \"");
  EXPECT_EQ(problem_of(sealed(to_line(sample_context()), "\"host\":\"node-a\"", "\"host\":\"\"")),
            "key 'host': expected a name, found \"\"");
}

TEST(JsonLines, AKeyThatStandsTwiceIsNamed) {
  EXPECT_EQ(problem_of(sealed(to_line(sample_point()), "\"status\":\"ok\"",
                              "\"status\":\"failed\",\"status\":\"ok\"")),
            "key 'status' is there twice");
  EXPECT_EQ(problem_of(sealed(to_line(sample_point()), "\"result\":\"right\"",
                              "\"result\":\"wrong\",\"result\":\"right\"")),
            "key 'result' is there twice");
}

TEST(JsonLines, AMissingKeyIsNamed) {
  EXPECT_EQ(problem_of(sealed(to_line(sample_end()), "\"points\":2,", "")), "key 'points' is missing");
}

TEST(JsonLines, AnUnknownRecordIsNamed) {
  EXPECT_EQ(problem_of(sealed(to_line(sample_end()), "\"record\":\"end\"", "\"record\":\"ending\"")),
            "key 'record': expected context, point or end, found \"ending\"");
}

TEST(JsonLines, TextThatIsNoRecordIsTold) {
  EXPECT_EQ(problem_of("hello"), "not JSON, or cut off");
  EXPECT_EQ(problem_of(""), "not JSON: the line is empty");
  EXPECT_EQ(problem_of("{}"), "key 'crc32' does not end the line: expected eight hexadecimal digits");
}

}  // namespace
}  // namespace assay::results
