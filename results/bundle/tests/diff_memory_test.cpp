// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a diff takes of memory: a few bytes for each row of the verdicts, and none of their texts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

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

TEST(DiffMemory, DoesNotGrowWithTheTextsOfRows) {
  if (test::sanitizer_holds_freed_memory()) GTEST_SKIP() << "a sanitizer holds what was freed";
  BundledEvidence a;
  a.order.accept = false;
  a.verdicts = to_json(Verdicts{});
  diff_bundles(a, a);  // what the first one takes once
  a.verdicts = many_verdicts(Verdict::fail);
  BundledEvidence b = a;
  b.verdicts = many_verdicts(Verdict::inconclusive);
  ASSERT_GT(static_cast<double>(a.verdicts.size()), 16 * mib);
  if (!test::reset_peak()) GTEST_SKIP() << "/proc/self/clear_refs does not reset the peak of memory";
  const double before_mib = status_mib("VmRSS");
  const BundleDiff diff = diff_bundles(a, b);
  ASSERT_EQ(diff.changes.size(), 1);
  EXPECT_EQ(diff.changes.front().unit, "UNIT");
  EXPECT_EQ(diff.changes.front().in_b, "INCONCLUSIVE");
  EXPECT_LT(status_mib("VmHWM") - before_mib, 10);
}

}  // namespace
}  // namespace assay::results
