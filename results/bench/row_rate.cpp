// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The limit of all that reads a store: row_rate STORE. Processor time for its pages with their checksums, and
// for SQLite's rows of the columns that the judge of fleets reads, of which nothing is done.
#include <fmt/format.h>
#include <time.h>

#include <cstddef>
#include <exception>

#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"

namespace assay::results {
namespace {

constexpr const char* rows_of_judge =
    "SELECT id, run, process, sequence, case_id, status, n, time_s, lower_s, upper_s, value, lower, upper, "
    "key, samples_s, stop, metric, unit, record FROM points";
constexpr int first_text = 13, columns = 19;

double cpu_seconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::size_t read_rows(const Store& store) {
  Statement rows = store.database().prepare(rows_of_judge);
  std::size_t count = 0, bytes = 0;
  double sum = 0;  // the columns are asked for, and something depends on each
  for (; rows.step(); ++count) {
    for (int column = 0; column < first_text; ++column) sum += rows.number(column);
    for (int column = first_text; column < columns; ++column) bytes += rows.view(column).size();
  }
  if (bytes == 0 && sum == 0) fmt::print("the store is empty\n");
  return count;
}

void measure_rows(const Store& store) {
  const double start = cpu_seconds_now();
  store.verify();
  const double pages = cpu_seconds_now();
  const std::size_t rows = read_rows(store);
  const double end = cpu_seconds_now();
  fmt::print("pages with checksums: {:.3f} s\n", pages - start);
  fmt::print("rows of the judge of fleets: {:.3f} s, {} rows\n", end - pages, rows);
}

}  // namespace
}  // namespace assay::results

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: row_rate STORE\n");
    return 2;
  }
  try {
    assay::results::measure_rows(assay::results::Store(argv[1], assay::results::StoreMode::existing));
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "row_rate: {}\n", error.what());
    return 2;
  }
}
