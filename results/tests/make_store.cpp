// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Writes a store of many points for timing: make_store FILE [POINTS] [POINTS_PER_RUN]. The numbers are made
// up; every context says "simulated". With one run of all points it is the worst case for tables of the
// latest run.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "results/store/database.hpp"
#include "results/store/store.hpp"
#include "results/store/store_insert.hpp"
#include "results/tests/fixed_run.hpp"

namespace assay::results {
namespace {

/// The fixed run again and again, each copy with its own axis value so that no point is a repetition.
void fill(Database& database, std::int64_t points, std::int64_t points_per_run) {
  const auto records = test::fixed_run("template");
  Transaction transaction(database);
  Inserter inserter(database);
  std::int64_t written = 0, in_run = 0, run = 0;
  for (std::int64_t copy = 0; written < points; ++copy)
    for (Record record : records) {
      auto* point = std::get_if<PointRecord>(&record);
      const std::string run_id = "run-" + std::to_string(run);
      if (!point) {
        std::visit([&](auto& held) { held.run_id = run_id; }, record);
        if (in_run < 138) inserter.insert(record);
        continue;
      }
      if (written == points) break;
      point->run_id = run_id;
      point->sequence = in_run;
      point->point.emplace_back("copy", copy);
      point->key += ",copy=" + std::to_string(copy);
      inserter.insert(record);
      ++written;
      if (++in_run == points_per_run) in_run = 0, ++run;
    }
  inserter.finish();
  transaction.commit();
}

}  // namespace
}  // namespace assay::results

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: make_store FILE [POINTS] [POINTS_PER_RUN]\n");
    return 2;
  }
  try {
    const std::int64_t points = argc > 2 ? std::atoll(argv[2]) : 1'000'000;
    const std::int64_t per_run = argc > 3 ? std::atoll(argv[3]) : points;
    assay::results::Store store(argv[1]);
    assay::results::Database database(argv[1], false);
    assay::results::fill(database, points, per_run);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_store: %s\n", error.what());
    return 1;
  }
  return 0;
}
