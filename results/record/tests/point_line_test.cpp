// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/json/point_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "results/record/json/record_json.hpp"
#include "results/record/line_crc.hpp"
#include "results/record/tests/point_lines.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::edited;
using test::is_read;
using test::point_of_ranks;
using test::point_of_units;
using test::sample_point;
using test::unsupported_point;

/// That the row holds what the record holds.
void expect_same(const PointRow& row, const PointRecord& point) {
  EXPECT_EQ(row.run_id, point.run_id);
  EXPECT_EQ(row.case_name, point.case_name);
  EXPECT_EQ(row.key, point.key);
  EXPECT_EQ(row.status, point.status);
  EXPECT_EQ(row.reason, point.reason);
  EXPECT_EQ(row.started, point.started);
  EXPECT_EQ(row.sequence, point.sequence);
  EXPECT_EQ(row.repetition, point.repetition);
  EXPECT_EQ(row.stop, point.stop);
  EXPECT_EQ(row.work_bytes, point.work_bytes);
  EXPECT_TRUE(std::ranges::equal(row.samples_s, point.samples_s));
  EXPECT_TRUE(std::ranges::equal(row.sm_cycles, point.sm_cycles));
  EXPECT_EQ(row.time.has_value(), point.time.has_value());
  if (point.time) {
    EXPECT_EQ(row.time->value_s, point.time->value_s);
    EXPECT_EQ(row.time->n, point.time->n);
  }
  ASSERT_EQ(row.metrics.size(), point.metrics.size());
  for (std::size_t i = 0; i < row.metrics.size(); ++i) {
    EXPECT_EQ(row.metrics[i].name, point.metrics[i].name);
    EXPECT_EQ(row.metrics[i].value, point.metrics[i].value);
    EXPECT_EQ(row.metrics[i].lower, point.metrics[i].lower);
  }
  auto json = to_json(point);
  json.erase("samples_s");
  json.erase("sm_cycles");
  EXPECT_EQ(row.record, json.dump());
  EXPECT_EQ(row.point.json, json["point"].dump());
}

TEST(PointLine, HoldsWhatTheRecordHolds) {
  auto with_cycles = sample_point();
  with_cycles.sm_cycles = {1e6, 2e6, 3e6};
  for (const PointRecord& point :
       {sample_point(), unsupported_point(), with_cycles, point_of_units(), point_of_ranks()}) {
    std::string line = to_line(point);
    const std::uint32_t crc = intact_line(line).value().crc;
    const auto row = point_row(line.data(), line.size(), std::pmr::get_default_resource());
    ASSERT_TRUE(row);
    EXPECT_EQ(row->crc, crc);
    expect_same(*row, point);
  }
}

TEST(PointLine, HoldsWhatTheRecordHoldsForEveryPointOfARun) {
  int read = 0;
  for (const Record& record : test::fixed_run()) {
    const auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr) continue;
    std::string line = to_line(*point);
    const auto row = point_row(line.data(), line.size(), std::pmr::get_default_resource());
    if (!row) continue;
    ++read;
    expect_same(*row, *point);
  }
  EXPECT_GT(read, 50);
}

TEST(PointLine, UnknownNumbersAreNoNumber) {
  auto point = sample_point();
  point.metrics[0].value = NAN;
  point.time->lower_s = std::numeric_limits<double>::infinity();
  std::string line = to_line(point);
  const auto row = point_row(line.data(), line.size(), std::pmr::get_default_resource());
  ASSERT_TRUE(row);
  EXPECT_TRUE(std::isnan(row->metrics[0].value));
  EXPECT_TRUE(std::isnan(row->time->lower_s));
}

TEST(PointLine, IsNotReadWhereTheLineIsNotOfItsForm) {
  const std::string line = to_line(sample_point());
  EXPECT_TRUE(is_read(line));
  EXPECT_FALSE(is_read(edited(line, "\"schema\":2", "\"schema\":3")));
  EXPECT_FALSE(is_read(edited(line, "\"status\":\"ok\"", "\"status\":\"fine\"")));
  EXPECT_FALSE(is_read(edited(line, "\"process\":0", "\"process\":1.5")));
  EXPECT_FALSE(is_read(edited(line, "\"drifting\":false", "\"drifting\":0")));
  EXPECT_FALSE(is_read(edited(line, "\"module\":\"memory\",", "")));
  EXPECT_FALSE(is_read(edited(line, "\"memory\"", "\"m\\u0065mory\"")));
  EXPECT_FALSE(is_read(edited(line, "\"memory\"", "\"m\xc3\xa9mory\"")));
  EXPECT_FALSE(is_read(edited(line, "\"threads\":2", "\"threads\":[2]")));
  EXPECT_FALSE(is_read(to_line(test::sample_end())));
  EXPECT_FALSE(is_read(""));
}

TEST(PointLine, IsNotReadWhereAUnitIsNotOfItsForm) {
  const std::string line = to_line(point_of_units()),
                    units = R"([{"kind":"gpu","id":"0"},{"kind":"gpu","id":"3"}])";
  EXPECT_EQ(std::get<PointRecord>(from_line(line)).units, point_of_units().units);
  EXPECT_TRUE(is_read(edited(line, units, R"([{"kind":"gpu","id":"0"}])")));
  for (const char* other :
       {"[]", "{}", R"([{"kind":"","id":"0"}])", R"([{"kind":"gpu","id":""}])", R"([{"kind":"gpu"}])",
        R"([{"kind":"gpu","id":0}])", R"([{"kind":"gpu","id":"0"},])", R"(["gpu"])"})
    EXPECT_FALSE(is_read(edited(line, units, other))) << other;
  for (const char* other : {R"([{"kind":"gpu","id":""}])", R"([{"kind":"gpu","id":0}])", R"(["gpu"])", "7"})
    EXPECT_THROW(from_line(edited(line, units, other)), std::runtime_error) << other;
}

TEST(PointLine, TakesNoNumberThatJsonDoesNotKnow) {
  const std::string line = to_line(sample_point());
  const std::string digits(400, '9');
  // A sample, and a number that no row keeps.
  for (const auto& [from, before] : {std::pair("[0.09,", "["), std::pair("\"cv\":0.1,", "\"cv\":")}) {
    for (const std::string number : {"01", "-01", "1.", ".5", "1.e5", "+1", "inf", "nan", "0x1", "-", "-null",
                                     "-0", "1e", "1e999", "0.1.2", digits.c_str(), ""})
      EXPECT_FALSE(is_read(edited(line, from, before + number + ","))) << before << number;
    for (const std::string number : {"1", "0", "-0.0", "-12.25", "1e5", "1.5E-7", "5e-324", "null"})
      EXPECT_TRUE(is_read(edited(line, from, before + number + ","))) << before << number;
  }
}

TEST(PointLine, TakesNoWholeNumberThat64BitsDoNotHold) {
  const std::string line = to_line(sample_point());
  for (const char* number : {"9223372036854775808", "-9223372036854775809", "1e999", "1.", "01", "2.e1"})
    EXPECT_FALSE(is_read(edited(line, "\"threads\":2", std::string("\"threads\":") + number))) << number;
  for (const char* number : {"-0.5e3", "1E3", "null", "\"2\""})
    EXPECT_TRUE(is_read(edited(line, "\"threads\":2", std::string("\"threads\":") + number))) << number;
  for (const char* number : {"9223372036854775807", "-9223372036854775808"})
    EXPECT_TRUE(is_read(edited(edited(line, "\"threads\":2", std::string("\"threads\":") + number),
                               "threads=2", std::string("threads=") + number)))
        << number;
}

TEST(PointLine, IsLeftToTheReaderOfAllJsonWhereItBreaksTheSchema) {
  const std::string line = to_line(sample_point());
  for (const auto& [from, to] :
       {std::pair("\"quantile\":0.5", "\"quantile\":7.0"), std::pair("\"n\":3", "\"n\":-3"),
        std::pair("\"result\":\"right\"", "\"result\":\"sort of\""),
        std::pair("\"stop\":\"interval\"", "\"stop\":\"tired\""),
        std::pair("\"bytes\":2147483648.0", "\"bytes\":-1.0"), std::pair("\"sequence\":0", "\"sequence\":-1"),
        std::pair("threads=2", "threads=3"), std::pair("store=temporal", "store=temporary")})
    EXPECT_FALSE(is_read(edited(line, from, to))) << to;
  EXPECT_TRUE(is_read(edited(line, ",threads=2,store=temporal", ""))) << "an axis that the key leaves out";
}

TEST(PointLine, LeavesTextsThatAreNotPlainToTheReaderOfAllJsonWhereverTheOtherByteStands) {
  const std::string line = to_line(sample_point());
  const std::string counted = R"("bytes_counted":")";
  for (std::size_t length = 0; length < 20; ++length) {
    const std::string text(length, '~');
    EXPECT_TRUE(is_read(edited(line, counted + "read + write", counted + text))) << text;
    for (std::size_t at = 0; at < length; ++at)
      for (const char byte : {'\x1f', '\x7f', '\x80', '\xff', '\\', '"', '\0'}) {
        std::string other = text;
        other[at] = byte;
        EXPECT_FALSE(is_read(edited(line, counted + "read + write", counted + other))) << at << ": " << +byte;
      }
  }
}

TEST(PointLine, IsNeverReadFromADamagedLine) {
  const std::string line = to_line(sample_point());
  for (std::size_t length = 0; length < line.size(); ++length) EXPECT_FALSE(is_read(line.substr(0, length)));
  for (std::size_t at = 0; at < line.size(); ++at) {
    std::string damaged = line;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_FALSE(is_read(damaged)) << at;
  }
}

/// Lines with a CRC that fits and a piece that was swapped, lost or doubled.
TEST(PointLine, IsReadOnlyWhereTheReaderOfAllJsonReadsItToo) {
  std::mt19937 random(7);
  for (const PointRecord& point : {point_of_units(), point_of_ranks()}) {
    std::string body = to_line(point);
    body.resize(body.rfind(",\"crc32\""));
    int read = 0;
    for (int i = 0; i < 3000; ++i) {
      std::string other = body;
      const std::size_t at = random() % other.size(), size = 1 + random() % 6;
      const std::string piece = body.substr(random() % body.size(), size);
      if (random() % 3 == 0)
        other.insert(at, piece);
      else
        other.replace(at, size, random() % 2 == 0 ? piece : "");
      const std::string line = closed_with_crc(other);
      read += test::read_alike(line) ? 1 : 0;
    }
    EXPECT_GT(read, 100);
  }
}

}  // namespace
}  // namespace assay::results
