// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay normal: of a number given by hand, of a log and of a stored run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;

Said normal_in_examples(const std::string& arguments) {
  return tests::assay_in(std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric", "normal " + arguments);
}

TEST(NormalCommand, AnswersTheQuestionOfANumber) {
  const Said said = normal_in_examples("all_reduce --gpus 8 --system h100-sxm --bytes 1GiB --busbw 430");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, HasSubstr("7.79 % below the lowest usual value (published)"));
  EXPECT_THAT(said.text, HasSubstr("cause 3 "));
  EXPECT_EQ(normal_in_examples("all_reduce --gpus 8 --system h100-sxm --bytes 1GiB --busbw 460").exit_code,
            0);
  EXPECT_EQ(normal_in_examples("all_reduce --gpus 8 --system h100-sxm --bytes 3MiB --busbw 46").exit_code, 3);
}

TEST(NormalCommand, SimulatesTheFabricThatIsGiven) {
  const Said said = normal_in_examples(
      "all_reduce --gpus 128 --system h100-sxm --network '8x400G RoCE' --bytes 64MiB --busbw 200 --fabric "
      "zone-128.toml "
      "--format json");
  const auto json = core::json_from<nlohmann::json>(said.text);
  EXPECT_GT(json[0]["simulated"], 50);
  EXPECT_LT(json[0]["simulated"], json[0]["bounds"][0]["value"]);
}

TEST(NormalCommand, RefusesWithOneLineWhatItNeeds) {
  for (const auto& [arguments, words] :
       {std::pair("all_reduce --gpus 8 --busbw 1", "expected --system"),
        std::pair("all_reduce --gpus 8 --system h100-sxm --tflops 1", "expected --busbw"),
        std::pair("all_reduce --system h100-sxm --busbw 1", "expected --gpus"),
        std::pair("memory --system h1 --bandwidth 1", "expected one of h100-sxm"),
        std::pair("nothing.log", "no such file"), std::pair("''", "expected the name of a file"),
        std::pair("nothing.log --busbw 3", "expected one of all_reduce")}) {
    const Said said = normal_in_examples(arguments);
    EXPECT_EQ(said.exit_code, 2) << arguments;
    EXPECT_THAT(said.text, HasSubstr(words)) << arguments;
  }
}

}  // namespace
}  // namespace assay::cli
