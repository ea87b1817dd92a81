// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Writes a store of many points for timing: make_store FILE [POINTS] [different|repeated]. The numbers are
// made up; every context says "simulated". One run of all points is the worst case for tables of the latest
// run.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"
#include "results/store/store_insert.hpp"
#include "results/tests/fixed_run.hpp"

namespace assay::results {
namespace {

constexpr std::int64_t repetitions_apart = 100;  // more than a point of the fixed run has

/// The fixed run again and again: each copy repeats its points, or has its own value of one more axis so that
/// no point is a repetition.
void fill(Database& database, std::int64_t points, bool repeated) {
  const auto records = test::fixed_run("run-0");
  Transaction transaction(database);
  Inserter inserter(database);
  std::int64_t written = 0;
  for (std::int64_t copy = 0; written < points; ++copy)
    for (Record record : records) {
      auto* point = std::get_if<PointRecord>(&record);
      if (!point) {
        if (copy == 0) inserter.insert(record);
        continue;
      }
      if (written == points) break;
      point->sequence = written++;
      if (repeated) {
        point->repetition += copy * repetitions_apart;
      } else {
        point->point.emplace_back("copy", copy);
        point->key += ",copy=" + std::to_string(copy);
      }
      inserter.insert(record);
    }
  inserter.finish();
  transaction.commit();
}

}  // namespace
}  // namespace assay::results

int main(int argc, char** argv) {
  const std::string kind = argc > 3 ? argv[3] : "different";
  if (argc < 2 || argc > 4 || argv[1][0] == '-' || (kind != "different" && kind != "repeated")) {
    std::fprintf(stderr, "usage: make_store FILE [POINTS] [different|repeated]\n");
    return 2;
  }
  try {
    const std::int64_t points = argc > 2 ? std::atoll(argv[2]) : 1'000'000;
    assay::results::Store store(argv[1]);
    assay::results::Database database(argv[1], false);
    assay::results::fill(database, points, kind == "repeated");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_store: %s\n", error.what());
    return 1;
  }
  return 0;
}
