// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/front/cli/tests/said.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::cli {
namespace {

TEST(UnknownRun, IsBadInputOfEveryCommandThatNamesOne) {
  const results::test::TemporaryFolder folder;
  results::test::put_small_fleet(folder / "store.db", 1.0);
  for (const char* command :
       {"show --run none", "show points --run none", "show --style nccl-tests --run none",
        "report --run none -o a.html", "export nccl-tuner none", "export gemm-timings none",
        "bundle --run none -o a.bundle", "compare none none", "fit memory --run none -o a.json"}) {
    const tests::Said said =
        tests::assay_in(folder.path().string(), std::string(command) + " --store store.db");
    EXPECT_EQ(said.exit_code, 2) << command;
    EXPECT_EQ(said.text, "assay: store store.db: no run 'none'; the table 'runs' lists what is there\n")
        << command;
  }
}

}  // namespace
}  // namespace assay::cli
