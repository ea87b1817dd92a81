// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Writes the report of the fixed run: write_fixed_report FILE. What the browser test opens, and a person too.
#include <cstdio>
#include <exception>

#include "results/report.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_fixed_report FILE\n");
    return 2;
  }
  try {
    const assay::results::test::TemporaryFolder folder;
    assay::results::Store store(folder / "store.db");
    for (const auto& record : assay::results::test::fixed_run()) store.add(record);
    assay::results::write_report(store, {}, argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "write_fixed_report: %s\n", error.what());
    return 1;
  }
  return 0;
}
