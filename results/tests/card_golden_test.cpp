// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node card of the fixed run, byte for byte, and of a run whose context tells nothing.
#include "results/card.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/golden.hpp"

namespace assay::results {
namespace {

TEST(CardGolden, TheFixedRun) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  for (const Record& record : test::fixed_run()) store.add(record);
  test::expect_golden("card.approved.txt", node_card(store));
}

TEST(CardGolden, AContextThatTellsNothing) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  auto context = test::sample_context();
  context.machine = nullptr;
  store.add(context);
  store.add(test::unsupported_point());
  test::expect_golden("card_of_nothing.approved.txt", node_card(store));
}

}  // namespace
}  // namespace assay::results
