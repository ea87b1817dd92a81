// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Cases by number: what --list prints, --case takes.
#include "harness/run/case_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/run/module_main.hpp"
#include "harness/run/tests/fake_cases.hpp"

namespace assay::run {
namespace {

using testing::HasSubstr;

struct Ended {
  int exit_code = 0;
  std::string output, errors;
};

Ended fake_module(std::vector<std::string> words) {
  words.insert(words.begin(), "assay-memory");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Ended ended;
  ended.exit_code = module_main(static_cast<int>(arguments.size()), arguments.data(),
                                {"memory", "cases that go wrong on purpose", tests::fake_cases});
  ended.output = testing::internal::GetCapturedStdout();
  ended.errors = testing::internal::GetCapturedStderr();
  return ended;
}

std::vector<core::Case> all_cases() { return tests::fake_cases({}); }

std::int64_t points_of(const std::vector<std::string>& words) {
  return core::json_from<nlohmann::json>(fake_module(words).output).at("points").get<std::int64_t>();
}

TEST(CaseList, NumbersCasesFromOneInTextAndJsonAndNotAmongNames) {
  const std::vector<core::Case> cases = all_cases();
  ASSERT_GE(cases.size(), 2U);
  EXPECT_THAT(list_cases(cases, "text"), HasSubstr("\n2 " + cases[1].name + "\n"));
  EXPECT_EQ(core::json_from<nlohmann::json>(list_cases(cases, "json")).at(1).at("number"), 2);
  EXPECT_THAT(list_cases(cases, "names"), testing::StartsWith(cases[0].name + "\n" + cases[1].name + "\n"));
}

core::Case products_without_blas() {
  core::Case one = all_cases().front();
  one.name = "gemm.host.matmul";
  one.not_built = [](const core::Point& point) {
    return point.integer("n") == 1 ? std::optional<std::string>("BLAS") : std::nullopt;
  };
  return one;
}

TEST(CaseList, MarksWhatThisBuildLacksForAllOrSomeOfTheDefaultSweep) {
  const std::vector<core::Case> cases{products_without_blas(), core::absent(all_cases(), "CUDA").front()};
  const std::string text = list_cases(cases, "text");
  EXPECT_THAT(text, HasSubstr(")\n  in part built without BLAS\n"));
  EXPECT_THAT(text, HasSubstr(")\n  built without CUDA\n"));
  const auto json = core::json_from<nlohmann::json>(list_cases(cases, "json"));
  EXPECT_EQ(json[0]["not_built"], nlohmann::json::array({"BLAS"}));
  EXPECT_EQ(json[1]["not_built"], nlohmann::json::array({"CUDA"}));
  EXPECT_TRUE(core::json_from<nlohmann::json>(list_cases(all_cases(), "json"))[0]["not_built"].empty());
}

TEST(CaseNumber, SelectsWhatTheNameSelects) {
  const std::vector<core::Case> cases = all_cases();
  const std::int64_t first = points_of({"--count", "--filter", cases[0].name}),
                     second = points_of({"--count", "--filter", cases[1].name});
  EXPECT_EQ(points_of({"--count", "--case", "2"}), second);
  EXPECT_EQ(points_of({"--count", "--case", "1", "--case", "2"}), first + second);
  EXPECT_EQ(points_of({"--count", "--filter", cases[0].name, "--case", "2"}), first + second);
  EXPECT_LT(first + second, points_of({"--count"}));
}

TEST(CaseNumber, BeyondTheListIsRefused) {
  const std::string last = std::to_string(all_cases().size());
  for (const char* number : {"0", "1000"}) {
    const Ended ended = fake_module({"--count", "--case", number});
    EXPECT_EQ(ended.exit_code, 2);
    EXPECT_THAT(ended.errors, HasSubstr("--case " + std::string(number) + ": expected 1 to " + last));
  }
  EXPECT_EQ(fake_module({"--case", "copy"}).exit_code, 2);
}

}  // namespace
}  // namespace assay::run
