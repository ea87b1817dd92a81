// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Synthetic series of samples that drift or do not, and what the judge says of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "results/judge/tests/ask_judge.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results::test {

inline constexpr double drift_margin = 0.02;
inline constexpr int normal_tails = 0;

struct DriftNoise {
  int degrees_of_freedom = normal_tails;  // of Student's t
  double correlation = 0;                 // of a sample with the one before
  double scale = 0.005;
};

using DriftTimes = std::vector<double>;

/// Around a millisecond; from the first to the last they move by `drift`.
inline DriftTimes drifting_times(std::size_t samples, double drift, const DriftNoise& noise,
                                 std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::student_t_distribution<double> heavy(std::max(1, noise.degrees_of_freedom));
  const auto draw = [&] { return noise.degrees_of_freedom == normal_tails ? normal(random) : heavy(random); };
  double state = draw();
  DriftTimes times;
  for (std::size_t i = 0; i < samples; ++i) {
    state = noise.correlation * state + std::sqrt(1 - noise.correlation * noise.correlation) * draw();
    const double place = (static_cast<double>(i) + 0.5) / static_cast<double>(samples) - 0.5;
    times.push_back(1e-3 * (1 + drift * place) * std::exp(std::clamp(noise.scale * state, -0.5, 0.5)));
  }
  return times;
}

/// A run in which each series is a point of its own.
inline Store store_of_drifts(const std::vector<DriftTimes>& all) {
  RunBuilder builder("run-1");
  builder.begin(0, "memory");
  for (std::size_t i = 0; i < all.size(); ++i)
    builder.measured(builder.point("memory.host.copy", {{"n", static_cast<std::int64_t>(i)}}), 1e-3,
                     {"time_us", "us", [](double s) { return s * 1e6; }},
                     std::max<std::size_t>(2, all[i].size()));
  builder.end();
  Store store("");
  auto times = all.begin();
  std::vector<Record> records = builder.take();
  for (Record& record : records) {
    if (auto* point = std::get_if<PointRecord>(&record)) point->samples_s = *times++;
  }
  store.add(records);
  return store;
}

/// `error` is the family's, over all series.
inline std::vector<VerdictRow> judged_drifts(const std::vector<DriftTimes>& all, double error = 0.025) {
  const Store store = store_of_drifts(all);
  Evidence evidence{store};
  evidence.order.shares["drift"] = drift_margin;
  evidence.order.rules.family_error = error;
  return ask_judge("drift", evidence).at(0).verdicts.rows.unpacked();
}

struct DriftShares {
  double failed = 0, passed = 0, open = 0;
};

inline DriftShares shares_in(const std::vector<VerdictRow>& rows) {
  DriftShares shares;
  for (const VerdictRow& row : rows)
    (row.verdict == Verdict::fail   ? shares.failed
     : row.verdict == Verdict::pass ? shares.passed
                                    : shares.open) += 1 / static_cast<double>(rows.size());
  return shares;
}

}  // namespace assay::results::test
