// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Seconds from opening a store to the text of each standard table: show_seconds STORE. What `assay show`
// waits for.
#include <chrono>
#include <cstdio>
#include <exception>

#include "results/show/show.hpp"

namespace assay::results {
namespace {

double seconds_for(const char* path, const std::string& table) {
  const auto start = std::chrono::steady_clock::now();
  const Store store(path, StoreMode::existing);
  const std::string text = to_text(make_table(store, table), 120);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%-10s %8.3f s  %zu bytes of text\n", table.c_str(), seconds, text.size());
  return seconds;
}

}  // namespace
}  // namespace assay::results

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: show_seconds STORE\n");
    return 2;
  }
  try {
    double slowest = 0;
    for (const auto& table : assay::results::table_names())
      slowest = std::max(slowest, assay::results::seconds_for(argv[1], table));
    std::printf("slowest    %8.3f s\n", slowest);
    return slowest < 1.0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "show_seconds: %s\n", error.what());
    return 2;
  }
}
