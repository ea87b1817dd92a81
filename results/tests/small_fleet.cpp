// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/tests/small_fleet.hpp"

#include <cmath>

#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results::test {
namespace {

constexpr int hosts = 10, rounds = 3, points = 4;

/// The number in two digits.
std::string two(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::vector<Record> run_of(int host, int round, double seconds) {
  const std::string name = "h" + std::to_string(host);
  RunBuilder builder("round" + std::to_string(round) + "-" + name);
  builder.begin(0, "memory");
  for (int point = 0; point < points; ++point) {
    const double noise = 1 + 0.002 * std::sin(7.0 * (round * hosts + host) + 3.0 * point);
    builder.measured(builder.point("memory.host.copy", {{"n", std::int64_t{point}}}), seconds * noise,
                     {"time_us", "us", [](double s) { return s * 1e6; }}, 10);
  }
  builder.end();
  std::vector<Record> records = builder.take();
  for (Record& record : records)
    if (auto* context = std::get_if<ContextRecord>(&record)) {
      context->host = name;
      context->origin = Origin::simulated;
      context->started = "2026-01-02T0" + std::to_string(round) + ":" + two(host) + ":00.000Z";
    } else if (auto* end = std::get_if<EndRecord>(&record)) {
      end->ended = "2026-01-02T0" + std::to_string(round) + ":" + two(host) + ":30.000Z";
    } else if (auto* measured = std::get_if<PointRecord>(&record)) {
      measured->started = "2026-01-02T0" + std::to_string(round) + ":" + two(host) + ":10.000Z";
      measured->elapsed_s = 0;
    }
  return records;
}

}  // namespace

std::vector<std::vector<Record>> small_fleet(double slow, int first_round, double seconds) {
  std::vector<std::vector<Record>> runs;
  for (int round = first_round; round < first_round + rounds; ++round)
    for (int host = 0; host < hosts; ++host)
      runs.push_back(run_of(host, round, host == 3 ? slow * seconds : seconds));
  return runs;
}

void put_small_fleet(const std::string& file, double slow) {
  Store store(file);
  for (const auto& run : small_fleet(slow)) store.add(run);
}

}  // namespace assay::results::test
