// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/store/doubts/host_doubts.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results::test {
namespace {

class ExchangedParts : public testing::Test {
 protected:
  static ContextRecord context_of(const std::string& run, const std::string& host,
                                  const std::string& started) {
    ContextRecord context = sample_context(run);
    context.host = host;
    context.started = started;
    return context;
  }
  static EndRecord end_of(const std::string& run, const std::string& ended) {
    EndRecord end = sample_end(run);
    end.ended = ended;
    return end;
  }

  TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(ExchangedParts, AHostWhoseBoardIsAnotherThanBeforeIsTold) {
  ContextRecord a = context_of("run-a", "n1", "2026-01-02T03:00:00Z");
  ContextRecord b = context_of("run-b", "n1", "2026-01-02T04:00:00Z");
  ContextRecord c = context_of("run-c", "n1", "2026-01-02T05:00:00Z");
  a.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-1"}}, {{"index", 1}, {"uuid", "GPU-2"}}};
  b.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-1"}}, {{"index", 1}, {"uuid", "GPU-3"}}};
  c.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-1"}, {"name", "H100"}},
                       {{"index", 1}, {"uuid", "GPU-3"}}};
  store_.add(std::vector<Record>{a, end_of("run-a", "2026-01-02T03:10:00Z"), b, c});
  EXPECT_THAT(
      exchanged_parts_of(store_),
      testing::ElementsAre(
          "host n1: run run-a (2026-01-02T03:00:00Z) and run run-b (2026-01-02T04:00:00Z) are of other "
          "hardware under one name: GPU 1 is GPU-2 in one and GPU-3 in the other"));
}

TEST_F(ExchangedParts, ARunBetweenThatTellsNoSerialNumbersHidesNoExchange) {
  ContextRecord a = context_of("run-a", "n1", "2026-01-02T03:00:00Z");
  ContextRecord b = context_of("run-b", "n1", "2026-01-02T04:00:00Z");
  ContextRecord c = context_of("run-c", "n1", "2026-01-02T05:00:00Z");
  a.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-1"}}};
  b.machine["gpus"] = nlohmann::ordered_json::array();
  c.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-2"}}};
  store_.add(std::vector<Record>{a, b, c});
  EXPECT_THAT(exchanged_parts_of(store_), testing::ElementsAre(testing::HasSubstr("run run-a (")));
}

TEST_F(ExchangedParts, RanksThatCallTheirOnlyGpuZeroAreNoExchange) {
  for (const std::string run : {"run-1", "run-2"})
    for (const std::string rank : {"0", "1"}) {
      ContextRecord context =
          context_of(run + ".rank" + rank, "n1", "2026-01-02T0" + run.substr(4) + ":00:0" + rank + "Z");
      context.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-" + rank}}};
      store_.add(context);
    }
  EXPECT_THAT(exchanged_parts_of(store_), testing::IsEmpty());
}

TEST_F(ExchangedParts, PartsOfOtherHostsOrWithoutSerialNumbersAreNoExchange) {
  ContextRecord a = context_of("run-a", "n1", "2026-01-02T03:00:00Z");
  ContextRecord b = context_of("run-b", "n2", "2026-01-02T04:00:00Z");
  ContextRecord c = context_of("run-c", "n2", "2026-01-02T05:00:00Z");
  a.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-1"}}};
  b.machine["gpus"] = {{{"index", 0}, {"uuid", "GPU-2"}}};
  c.machine["gpus"] = {{{"index", 0}, {"uuid", ""}}};
  store_.add(std::vector<Record>{a, b, c});
  EXPECT_THAT(exchanged_parts_of(store_), testing::IsEmpty());
}

}  // namespace
}  // namespace assay::results::test
