// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The memory that a bundle takes does not grow with its records.
#include <gtest/gtest.h>

#include <string>

#include "results/bundle/judgement.hpp"
#include "results/bundle/stored_lines.hpp"
#include "results/tests/peak_memory.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::mib;
using test::status_mib;

/// Points of many samples: few rows, and many bytes.
core::LongText journal_of(int points) {
  return core::LongText::of([&](const core::ByteSink& sink) {
    sink(to_line(test::sample_context()) + "\n");
    for (int i = 0; i < points; ++i) {
      PointRecord point = test::sample_point();
      point.sequence = i;
      point.repetition = i;
      for (int j = 0; j < 2000; ++j) point.samples_s.push_back(1e-3 + 1e-9 * j);
      sink(to_line(point) + "\n");
    }
  });
}

TEST(BundleMemory, DoesNotGrowWithTheRecords) {
  Store store("");
  const core::LongText journal = journal_of(2500);
  ASSERT_GT(static_cast<double>(journal.size()), 60 * mib);
  ASSERT_EQ(store.import_lines("a.jsonl", journal.source()).added, 2501);
  if (!test::reset_peak()) GTEST_SKIP() << "/proc/self/clear_refs does not reset the peak of memory";
  const double before_mib = status_mib("VmRSS");
  BundledEvidence evidence;
  evidence.order.accept = false;  // judges hold some points of each thread
  evidence.records = lines_of_runs(store, {});
  EXPECT_TRUE(evidence.records == journal);
  judge(evidence);
  std::size_t packed = 0, largest = 0;
  const std::string seal = pack(evidence, [&](std::string_view piece) {
    packed += piece.size();
    largest = std::max(largest, piece.size());
  });
  EXPECT_GT(packed, journal.size());
  EXPECT_LE(largest, std::size_t{1} << 16);
  EXPECT_LT(status_mib("VmHWM") - before_mib, 30);
}

}  // namespace
}  // namespace assay::results
