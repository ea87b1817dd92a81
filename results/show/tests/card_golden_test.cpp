// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node card of the fixed run, byte for byte, and of a run whose context tells nothing.
#include "results/show/card.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/golden.hpp"

namespace assay::results {
namespace {

TEST(CardGolden, TheFixedRun) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::fixed_run());
  test::expect_golden("card.approved.txt", node_card(RunPoints(store)));
}

TEST(CardGolden, SaysWhenItIsMadeOfSomePointsOnly) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::fixed_run());
  EXPECT_EQ(node_card(RunPoints(store)).find("made of"), std::string::npos);
  EXPECT_NE(node_card(RunPoints(store, {}, 40), 0)
                .find("made of     points of memory.* up to the first 40 different ones, of 84 "),
            std::string::npos)
      << node_card(RunPoints(store, {}, 40), 0);
}

TEST(CardGolden, FailuresComeBeforeWhatIsUnsupportedAndEqualReasonsAreToldOnce) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  for (std::int64_t i = 0; i < 6; ++i) {
    auto point = test::unsupported_point("run-1", i);
    if (i == 5) {
      point.status = Status::failed;
      point.reason = "out of host memory";
    }
    store.add(point);
  }
  const std::string card = node_card(RunPoints(store));
  const auto failed = card.find("failed memory.cuda.copy: out of host memory");
  const auto unsupported = card.find("unsupported: no CUDA-capable device is detected (5 points)");
  ASSERT_NE(failed, std::string::npos) << card;
  ASSERT_NE(unsupported, std::string::npos) << card;
  EXPECT_LT(failed, unsupported);
}

TEST(CardGolden, AContextThatTellsNothing) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  auto context = test::sample_context();
  context.machine = nullptr;
  store.add(context);
  store.add(test::unsupported_point());
  test::expect_golden("card_of_nothing.approved.txt", node_card(RunPoints(store)));
}

}  // namespace
}  // namespace assay::results
