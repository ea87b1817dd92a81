// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The memory that a diff takes: a few bytes for each row of the verdicts, and none of their texts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "results/bundle/judgement.hpp"
#include "results/tests/peak_memory.hpp"

namespace assay::results {
namespace {

using test::mib;
using test::status_mib;

constexpr int host_count = 1000, metric_count = 50;

/// One of them is another with each `verdict`.
core::LongText many_verdicts(Verdict verdict) {
  const std::string whole =
      to_json(Verdicts{.command = "bundle", .verdict = Verdict::fail});  // ends with "[]\n}\n"
  const std::string rows =
      to_json(Verdicts{.rows = {{.unit = "UNIT", .metric = "METRIC", .verdict = Verdict::fail}}});
  const auto open = rows.rfind('[', rows.find("\"unit\"")) + 1;
  const std::string row = rows.substr(open, rows.rfind(']') - open);
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  return core::LongText::of([&](const core::ByteSink& sink) {
    sink(whole.substr(0, whole.rfind(']')));
    sink(with(row, "FAIL", std::string(to_string(verdict))));
    for (int host = 0; host < host_count; ++host)
      for (int metric = 0; metric < metric_count; ++metric)
        sink("," + with(with(row, "UNIT", fmt::format("h{}", host)), "METRIC", fmt::format("m{}", metric)));
    sink("]}");
  });
}

struct MeasuredDiff {
  BundleDiff diff;
  double peak_mib = 0;  // above what was held before
};

std::optional<MeasuredDiff> measured_diff(const core::LongText& verdicts_a,
                                          const core::LongText& verdicts_b) {
  BundledEvidence a;
  a.order.accept = false;
  a.verdicts = to_json(Verdicts{});
  BundledEvidence b = a;
  diff_bundles(a, b);  // what the first one takes once
  a.verdicts = verdicts_a;
  b.verdicts = verdicts_b;
  if (!test::reset_peak()) return std::nullopt;
  const double before_mib = status_mib("VmRSS");
  MeasuredDiff measured{.diff = diff_bundles(a, b)};
  write_csv(to_table(measured.diff), [](std::string_view) {});
  measured.peak_mib = status_mib("VmHWM") - before_mib;
  return measured;
}

TEST(DiffMemory, DoesNotGrowWithTheTextsOfRows) {
  const core::LongText verdicts = many_verdicts(Verdict::fail);
  ASSERT_GT(static_cast<double>(verdicts.size()), 16 * mib);
  const auto measured = measured_diff(verdicts, many_verdicts(Verdict::inconclusive));
  if (!measured) GTEST_SKIP() << "/proc/self/clear_refs does not reset the peak of memory";
  ASSERT_EQ(measured->diff.changes.size(), 1);
  EXPECT_EQ(measured->diff.changes.front().unit, "UNIT");
  EXPECT_EQ(measured->diff.changes.front().in_b, "INCONCLUSIVE");
  EXPECT_LT(measured->peak_mib, 10);
}

TEST(DiffMemory, DoesNotGrowWithTheTextsOfChanges) {
  const auto measured = measured_diff(to_json(Verdicts{}), many_verdicts(Verdict::fail));
  if (!measured) GTEST_SKIP() << "/proc/self/clear_refs does not reset the peak of memory";
  EXPECT_EQ(measured->diff.changes.size(), host_count * metric_count + 2);
  EXPECT_LT(measured->peak_mib, 10);
}

}  // namespace
}  // namespace assay::results
