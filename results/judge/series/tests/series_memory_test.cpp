// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The memory that judges of series take is a small part of the size of their output.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/core/files/long_text.hpp"
#include "results/judge/exchange/ctrf.hpp"
#include "results/judge/exchange/ocp.hpp"
#include "results/judge/tests/ask_judge.hpp"
#include "results/tests/peak_memory.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::mib;
using test::status_mib;

constexpr int series_hosts = 40, points_of_host = 400;

/// Every point is a series.
core::LongText journal_of_host(int host) {
  return core::LongText::of([&](const core::ByteSink& sink) {
    const std::string run = fmt::format("run-{}", host);
    ContextRecord context = test::sample_context(run);
    context.host = fmt::format("host-{}", host);
    sink(to_line(context) + "\n");
    for (int i = 0; i < points_of_host; ++i) {
      PointRecord point = test::sample_point(run, i);
      point.point = {{"bytes", std::int64_t{i}}};
      point.key = fmt::format("bytes={}", i);
      sink(to_line(point) + "\n");
    }
  });
}

struct LongestAnswer {
  std::size_t bytes = 0, largest_piece = 0;
};

LongestAnswer answer_of(const core::ByteWriter& write) {
  LongestAnswer answer;
  write([&](std::string_view piece) {
    answer.bytes += piece.size();
    answer.largest_piece = std::max(answer.largest_piece, piece.size());
  });
  return answer;
}

ToldRun clocked_run() { return {.now = std::chrono::system_clock::now}; }

std::vector<core::ByteWriter> formats_of(const Judged& judged) {
  const Verdicts& verdicts = judged.verdicts;
  return {[&](const core::ByteSink& sink) { write_json(verdicts, sink); },
          [&](const core::ByteSink& sink) { write_junit(verdicts, sink); },
          [&](const core::ByteSink& sink) { write_prometheus(verdicts, sink); },
          [&](const core::ByteSink& sink) { write_ocp(verdicts, {}, clocked_run(), sink); },
          [&](const core::ByteSink& sink) { write_ctrf(verdicts, clocked_run(), sink); },
          [&](const core::ByteSink& sink) { write_csv(long_table_of(verdicts, TableOf::all), sink); },
          [&](const core::ByteSink& sink) { write_text(table_of(judged), 0, sink); },
          [&](const core::ByteSink& sink) { write_markdown(table_of(judged), sink); }};
}

TEST(SeriesMemory, IsASmallPartOfTheAnswer) {
  Store store("");
  for (int host = 0; host < series_hosts; ++host)
    ASSERT_EQ(store.import_lines(fmt::format("{}.jsonl", host), journal_of_host(host).source()).added,
              points_of_host + 1);
  Evidence evidence{store};
  evidence.order.shares = {{"drift", 0.03}, {"history", 0.03}};
  if (!test::reset_peak()) GTEST_SKIP() << "/proc/self/clear_refs does not reset the peak of memory";
  const double before_mib = status_mib("VmRSS");
  std::size_t bytes = 0;
  for (const char* judge : {"drift", "history"}) {
    const std::vector<Judged> judged = test::ask_judge(judge, evidence);
    ASSERT_EQ(judged.at(0).verdicts.rows.size(), std::size_t{series_hosts} * points_of_host);
    for (const core::ByteWriter& write : formats_of(judged[0])) {
      const LongestAnswer answer = answer_of(write);
      bytes += answer.bytes;
      EXPECT_LE(answer.largest_piece, std::size_t{1} << 16);
    }
  }
  EXPECT_GT(static_cast<double>(bytes), 60 * mib);
  EXPECT_LT(status_mib("VmHWM") - before_mib, 16);
}

}  // namespace
}  // namespace assay::results
