// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every standard table of the fixed run, byte for byte.
#include "results/show/show.hpp"
#include "results/tests/fixed_copies.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/golden.hpp"

namespace assay::results {
namespace {

TEST(ShowGolden, EveryTableAsText) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  {
    JournalWriter writer(folder / "run.jsonl");
    for (const Record& record : test::fixed_run()) writer.write(record);
  }
  store.import_journal(folder / "run.jsonl");
  for (const auto& name : table_names())
    test::expect_golden("show_" + name + ".approved.txt", to_text(make_table(store, name), 120));
  test::expect_golden("show_gemm.approved.md", to_markdown(make_table(store, "gemm")));
  test::expect_golden("show_cases.approved.csv", to_csv(make_table(store, "cases")));
  test::expect_golden("show_rdma.approved.md", to_markdown(make_table(store, "rdma")));
  test::expect_golden("show_rdma_latency.approved.csv", to_csv(make_table(store, "rdma_latency")));
  test::expect_golden("show_rdma_pairs.approved.json",
                      to_json(make_table(store, "rdma_pairs", {.limit = 2})));
  test::expect_golden("show_problems.approved.json", to_json(make_table(store, "problems")));
}

TEST(ShowGolden, CopiesAsText) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::fixed_copies());
  test::expect_golden("show_copies_of_two_gpus.approved.txt", to_text(make_table(store, "copies"), 160));
}

TEST(ShowGolden, AJournalOfSchema1IsReadAsTheOneOfToday) {
  const auto tables_of = [](const std::string& journal) {
    const test::TemporaryFolder folder;
    Store store(folder / "store.db");
    store.import_journal(std::filesystem::path(ASSAY_SOURCE_DIR) / "results/tests/golden" / journal);
    std::string text;
    for (const auto& name : table_names()) text += to_text(make_table(store, name), 120);
    return text;
  };
  EXPECT_EQ(tables_of("journal_of_schema_1.jsonl"), tables_of("journal.approved.jsonl"));
}

TEST(ShowGolden, TheJournalAsLines) {
  std::string lines;
  for (const Record& record : test::fixed_run()) {
    const auto* point = std::get_if<PointRecord>(&record);
    if (!point || point->sequence % 20 == 0) lines += to_line(record) + "\n";
  }
  test::expect_golden("journal.approved.jsonl", lines);
}

}  // namespace
}  // namespace assay::results
