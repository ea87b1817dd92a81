// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What a store gives at most: row_rate STORE. Seconds for its pages with their checksums, and for SQLite's rows of the
// columns that judges and tables read, unread otherwise; by one thread, and by two with half of the ids each.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <thread>

#include "results/store/database.hpp"
#include "results/store/store.hpp"

namespace assay::results {
namespace {

double row_rate_seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What SQLite decodes of a row, and where its texts begin, without a look at them.
void take_rows(const char* path, const std::string& columns, int count, std::int64_t first, std::int64_t last) {
  const Store store(path, StoreMode::existing);
  Statement rows = store.database().prepare("SELECT " + columns + " FROM points WHERE id BETWEEN ? AND ?");
  rows.bind(first, last);
  std::size_t bytes = 0;
  while (rows.step())
    for (int column = 0; column < count; ++column) bytes += rows.view(column).size();
  if (bytes == 1) std::puts("");  // keeps the sum
}

}  // namespace
}  // namespace assay::results
int main(int, char** argv) {
  using namespace assay::results;
  const Store store(argv[1], StoreMode::existing);
  const auto n = store.database().single_integer("SELECT max(id) FROM points");
  fmt::print("pages {:.3f}\n", row_rate_seconds([&]{ store.verify(); }));
  struct C { const char* name; const char* columns; int count; };
  for (const C& c : {C{"id", "id", 1}, C{"time", "time_s", 1}, C{"samples","samples_s",1}, C{"record","record",1}, C{"all", "id, process, case_id, key, reason, samples_s, status, n, stop, metric, unit, record", 12}}) {
    fmt::print("{} 1: {:.3f}\n", c.name, row_rate_seconds([&]{ take_rows(argv[1], c.columns, c.count, 0, n); }));
    fmt::print("{} 2: {:.3f}\n", c.name, row_rate_seconds([&]{ std::jthread other([&]{take_rows(argv[1], c.columns, c.count, 0, n/2);}); take_rows(argv[1], c.columns, c.count, n/2+1, n); }));
  }
}
