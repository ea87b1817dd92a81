// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/stored_questions.hpp"

#include <gtest/gtest.h>

#include "results/store/store.hpp"
#include "results/tests/fixed_copies.hpp"

namespace assay::results::expected {
namespace {

TEST(StoredQuestions, LeaveOutCopiesInBothDirections) {
  Store store("");
  store.add(test::fixed_copies());
  const RunPoints run(store);
  const StoredQuestions found = questions_of(run, published_values({}), "h100-sxm", "");
  std::vector<double> between_gpus;
  for (const Question& one : found.questions)
    if (one.operation == "device_to_device") between_gpus.push_back(one.value);
  ASSERT_EQ(between_gpus.size(), 2U);  // 700 GB/s and 690 GB/s are of both directions together
  EXPECT_NEAR(between_gpus[0], 370, 10);
  EXPECT_NEAR(between_gpus[1], 360, 10);
}

TEST(StoredQuestions, CountAllOkPointsThatAreLeftOut) {
  Store store("");
  store.add(test::fixed_copies());
  const RunPoints run(store);
  const StoredQuestions found = questions_of(run, published_values({}), "h100-sxm", "");
  EXPECT_EQ(found.questions.size(), 38U);
  EXPECT_EQ(found.left_out,
            19);  // 16 copies to and from, 2 between GPUs, and one case that is not asked about
}

/// The copies of a host with such a GPU, as a run of its own.
std::vector<Record> copies_of(const std::string& host, const std::string& gpu) {
  std::vector<Record> records = test::fixed_copies();
  for (Record& record : records) std::visit([&](auto& one) { one.run_id = host; }, record);
  auto& context = std::get<ContextRecord>(records.front());
  context.host = host;
  context.machine["gpus"] = nlohmann::ordered_json::array({{{"index", 0}, {"name", gpu}}});
  return records;
}

TEST(SiteHistory, IsOfTheSameKindOfMachineAndCountsHosts) {
  Store store("");
  store.add(copies_of("rack 1 a", "NVIDIA H100 80GB HBM3"));
  store.add(copies_of("rack 1 b", "NVIDIA H100 80GB HBM3"));
  store.add(copies_of("rack 2 a", "NVIDIA H200"));
  store.add(copies_of("rack 3 a", "NVIDIA A100-SXM4-80GB"));
  const Published published = published_values({});
  SiteHistory history(store, published);
  Question question{.operation = "device_to_device", .system = "h100-sxm", .gpus = 1, .nodes = 1};
  question.bytes = std::int64_t{256} << 20;
  const auto own = history.of(question, "");
  ASSERT_TRUE(own.has_value());
  EXPECT_EQ(own->hosts, 2);
  EXPECT_EQ(own->values, 4);
  EXPECT_EQ(history.of(question, "rack 1 b")->hosts, 1);
  question.system = "h200-sxm";
  EXPECT_EQ(history.of(question, "")->hosts, 1);
}

}  // namespace
}  // namespace assay::results::expected
