// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One bad row of a table of collectives, wherever it stands: what is predicted elsewhere does not follow it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/laws/collective_fit.hpp"
#include "model/fit/laws/doubtful_ends.hpp"

namespace assay::model::fit {
namespace {

constexpr double least_bytes = 512, most_bytes = 1 << 29;

/// 7 us and 300 GB/s, a few of the sizes missing from each dtype.
Timings<CollectiveRow> sound_rows() {
  core::tests::TemporaryFolder folder;
  std::string text = "op,ranks,size_bytes,dtype,time_us,source\n";
  int at = 0;
  for (const char* operation : {"all_gather", "all_to_all"})
    for (const int ranks : {4, 8})
      for (const char* dtype : {"fp16", "int8"})
        for (double size = least_bytes; size <= most_bytes; size *= 2, ++at)
          if (at % 5 != 2)
            text += fmt::format("{},{},{:.0f},{},{:.4f},m\n", operation, ranks, size, dtype,
                                (ranks + size / 3e5) * (1 + 0.01 * std::sin(at)));
  return read_collective_timings(folder.file("c.csv", text));
}

/// The largest change of a prediction of the row's family, the row's own size left out, an octave beyond the
/// ends included.
double largest_change(const CollectiveModels& before, const CollectiveModels& after,
                      const CollectiveRow& row) {
  double change = 0;
  for (double size = least_bytes / 2; size <= 2 * most_bytes; size *= 2)
    for (const char* dtype : {"fp16", "int8"}) {
      if (size == row.size_bytes) continue;
      const double from_us = before.time_us(row.family(), dtype, size);
      change = std::max(change, std::abs(after.time_us(row.family(), dtype, size) / from_us - 1));
    }
  return change;
}

TEST(SingleRows, BendNoPredictionWhereverTheyStand) {
  Timings<CollectiveRow> timings = sound_rows();
  const CollectiveModels sound = fit_collectives(timings, 1).models;
  for (std::size_t i = 0; i < timings.rows.size(); i += 3)
    for (const double factor : {0.4, 2.5, 6.0}) {
      CollectiveRow& row = timings.rows[i];
      row.time_us *= factor;
      EXPECT_LT(largest_change(sound, fit_collectives(timings, 1).models, row), 0.1)
          << row.key() << " times " << factor;
      row.time_us /= factor;
    }
}

TEST(SingleRows, TwoAtTheSmallEndOfOneGroupBendNoPredictionThere) {
  Timings<CollectiveRow> timings = sound_rows();
  std::erase_if(timings.rows,
                [](const CollectiveRow& row) { return row.ranks == 4 && row.size_bytes < 1024; });
  for (CollectiveRow& row : timings.rows) {
    if (row.operation != "all_to_all" || row.ranks != 4) continue;
    if (row.dtype == "fp16" && row.size_bytes == 1024) row.time_us *= 2.5;
    if (row.dtype == "int8" && row.size_bytes == 2048) row.time_us *= 1.5;
  }
  const CollectiveModels models = fit_collectives(timings, 1).models;
  for (const double size : {256.0, 512.0, 1024.0, 4096.0})
    EXPECT_NEAR(models.time_us("m,all_to_all,4,", "fp16", size), 4.0, 0.5) << size;
}

TEST(SingleRows, ErrorsAtTheEndsAreStatedOfRowsThatTheFitDidNotHave) {
  Timings<CollectiveRow> timings = sound_rows();
  const CollectiveFit sound = fit_collectives(timings, 1);
  EXPECT_GE(sound.held_out_ends.whole().rows, 12u);
  EXPECT_LT(sound.held_out_ends.whole().mape_percent, 3);
  for (CollectiveRow& row : timings.rows)
    if (row.size_bytes == most_bytes) row.time_us *= 2;  // a change of protocol that no other size shows
  EXPECT_GT(fit_collectives(timings, 1).held_out_ends.whole().mape_percent, 15);
}

TEST(DoubtfulEnds, AreThoseThatFallWithTheSizeOrGrowFasterThanIt) {
  using Flags = std::vector<bool>;
  EXPECT_EQ(doubtful_ends({{1024, 17.7}, {4096, 7.6}, {8192, 7.0}, {16384, 8}}),
            (Flags{true, false, false, false}));
  EXPECT_EQ(doubtful_ends({{1024, 2.5}, {2048, 7.0}, {4096, 7.1}}), (Flags{true, false, false}));
  EXPECT_EQ(doubtful_ends({{1 << 20, 20}, {1 << 21, 40}, {1 << 22, 200}}), (Flags{false, false, true}));
  EXPECT_EQ(doubtful_ends({{1 << 20, 20}, {1 << 21, 40}, {1 << 22, 30}}), (Flags{false, false, true}));
  EXPECT_EQ(doubtful_ends({{1 << 20, 20}, {1 << 21, 40}, {1 << 22, 78}}), (Flags{false, false, false}));
}

}  // namespace
}  // namespace assay::model::fit
