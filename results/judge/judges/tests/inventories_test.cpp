// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/judge/tests/ask_judge.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Inventories : public testing::Test {
 protected:
  /// A run of a host that lists GPUs of these multiprocessors, and measured GPU 0 to the last of `measured`.
  void add(const std::string& host, const std::vector<int>& multiprocessors, int measured,
           bool uuids = true) {
    const std::string run = "run-" + std::to_string(++runs_);
    ContextRecord context = test::sample_context(run);
    context.host = host;
    context.machine["gpus"] = nlohmann::ordered_json::array();
    for (const int count : multiprocessors) {
      const auto index = context.machine["gpus"].size();
      context.machine["gpus"].push_back(
          {{"index", index}, {"name", "H100"}, {"sm_count", count}, {"memory_bytes", 85520809984}});
      if (uuids) context.machine["gpus"].back()["uuid"] = host + "-" + std::to_string(index);
    }
    store_.add(context);
    for (int gpu = 0; gpu < measured; ++gpu) {
      PointRecord point = test::sample_point(run, gpu);
      point.point = {{"gpu", std::int64_t{gpu}}};
      point.key = "gpu=" + std::to_string(gpu);
      store_.add(point);
    }
  }
  std::vector<std::string> told() const {
    std::vector<std::string> lines;
    for (const Judged& judged : test::ask_judge("hosts", {store_}))
      for (const VerdictRow& row : judged.verdicts.rows)
        if (row.meaning.starts_with("equals are equal by inventory")) lines.push_back(row.because);
    return lines;
  }

  int runs_ = 0;
  test::TemporaryFolder folder_;
  Store store_{folder_ / "s.sqlite"};
};

TEST_F(Inventories, ThatStayAsTheyAreAreInNoDoubt) {
  for (const char* host : {"h1", "h2", "h1"}) add(host, {132, 132}, 2);
  add("h1", {}, 0);  // a module that looks at no GPU
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Inventories, ThatChangeFromRunToRunAreTold) {
  add("h1", {132, 132}, 2);
  add("h1", {132}, 1);
  EXPECT_THAT(told(), ElementsAre("host h1: it has 2 GPUs in one of its records and 1 in another"));
  add("h2", {132, 132}, 2);
  add("h2", {132, 114}, 2);
  EXPECT_THAT(told().at(1), testing::HasSubstr("host h2: its GPU 1 is 'GPU of 132 multiprocessors"));
}

TEST_F(Inventories, ThatLackWhatWasMeasuredAreTold) {
  add("h1", {132, 132}, 3);
  EXPECT_THAT(told(), ElementsAre("host h1: its GPU 2 was measured, and its inventory has 2 GPUs"));
  add("h2", {}, 1);
  EXPECT_THAT(told(), testing::Contains("host h2: a process of it measured GPUs, and its record lists none"));
}

TEST_F(Inventories, OfAHostThatCouldNotMeasureItsGpuPointsAreInNoDoubt) {
  ContextRecord context = test::sample_context("without");
  context.machine["gpus"] = nlohmann::ordered_json::array();
  store_.add(context);
  PointRecord point = test::unsupported_point("without");
  point.point = {{"gpu", std::int64_t{0}}};
  point.key = "gpu=0";
  store_.add(point);
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(Inventories, WithoutUuidsAreToldWhereOthersHaveThem) {
  add("h1", {132}, 1, false);
  EXPECT_THAT(told(), IsEmpty());
  add("h2", {132}, 1);
  EXPECT_THAT(told(), ElementsAre("host h1: its GPU 0 has no UUID, and others have one"));
}

}  // namespace
}  // namespace assay::results
