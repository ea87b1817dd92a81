// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What judges of series take of memory is a small part of what they say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "results/judge/tests/ask_judge.hpp"
#include "results/tests/peak_memory.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::mib;
using test::status_mib;

constexpr int hosts = 50, points_of_host = 800;

/// Every point is a series.
Store store_of_many_series() {
  Store store("");
  for (int host = 0; host < hosts; ++host) {
    const std::string run = fmt::format("run-{}", host);
    ContextRecord context = test::sample_context(run);
    context.host = fmt::format("host-{}", host);
    store.add(context);
    for (int i = 0; i < points_of_host; ++i) {
      PointRecord point = test::sample_point(run, i);
      point.point = {{"bytes", std::int64_t{i}}};
      point.key = fmt::format("bytes={}", i);
      store.add(point);
    }
  }
  return store;
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

std::vector<core::ByteWriter> formats_of(const Judged& judged) {
  const Verdicts& verdicts = judged.verdicts;
  return {[&](const core::ByteSink& sink) { write_json(verdicts, sink); },
          [&](const core::ByteSink& sink) { write_junit(verdicts, sink); },
          [&](const core::ByteSink& sink) { write_prometheus(verdicts, sink); },
          [&](const core::ByteSink& sink) { write_csv(long_table_of(verdicts, TableOf::all), sink); },
          [&](const core::ByteSink& sink) { write_text(table_of(judged), 0, sink); },
          [&](const core::ByteSink& sink) { write_markdown(table_of(judged), sink); }};
}

TEST(SeriesMemory, IsASmallPartOfTheAnswer) {
  if (test::sanitizer_holds_freed_memory()) GTEST_SKIP() << "a sanitizer holds what was freed";
  const Store store = store_of_many_series();
  Evidence evidence{store};
  evidence.order.shares = {{"drift", 0.03}, {"history", 0.03}};
  if (!test::reset_peak()) GTEST_SKIP() << "/proc/self/clear_refs does not reset the peak of memory";
  const double before_mib = status_mib("VmRSS");
  std::size_t bytes = 0;
  for (const char* judge : {"drift", "history"}) {
    const std::vector<Judged> judged = test::ask_judge(judge, evidence);
    ASSERT_EQ(judged.at(0).verdicts.rows.size(), std::size_t{hosts} * points_of_host);
    for (const core::ByteWriter& write : formats_of(judged[0])) {
      const LongestAnswer answer = answer_of(write);
      bytes += answer.bytes;
      EXPECT_LE(answer.largest_piece, std::size_t{1} << 16);
    }
  }
  EXPECT_GT(static_cast<double>(bytes), 100 * mib);
  EXPECT_LT(status_mib("VmHWM") - before_mib, 24);
}

}  // namespace
}  // namespace assay::results
