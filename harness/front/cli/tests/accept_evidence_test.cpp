// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts of `assay accept` on records that contradict themselves, from the journals on: none of it ends in
// exit code 0.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/front/cli/tests/said.hpp"
#include "results/record/journal.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::cli {
namespace {

using results::ContextRecord;
using results::PointRecord;
using results::Record;
using testing::AllOf;
using testing::HasSubstr;
using tests::Said;

using Journal = std::vector<Record>;
using Journals = std::vector<Journal>;

const ContextRecord& context_of(const Journal& run) { return std::get<ContextRecord>(run.front()); }

void a_week_later(Record& record) {
  if (auto* context = std::get_if<ContextRecord>(&record)) context->started.replace(8, 2, "09");
  if (auto* point = std::get_if<PointRecord>(&record)) point->started.replace(8, 2, "09");
  if (auto* end = std::get_if<results::EndRecord>(&record)) end->ended.replace(8, 2, "09");
}

/// Ten sound hosts, three runs each, unless changed.
class AcceptedEvidence : public testing::Test {
 protected:
  Journals fleet_ = results::test::small_fleet();

  template <class One>
  void change(const std::string& host, const std::function<void(One&)>& how) {
    for (Journal& run : fleet_)
      if (host.empty() || context_of(run).host == host)
        for (Record& record : run)
          if (One* one = std::get_if<One>(&record)) how(*one);
  }
  void change_points(const std::string& host, const std::function<void(PointRecord&)>& how) {
    change<PointRecord>(host, how);
  }
  /// The first point of each run.
  void change_first(const std::string& host, const std::function<void(PointRecord&)>& how) {
    change_points(host, [&](PointRecord& point) {
      if (point.sequence == 0) how(point);
    });
  }
  void copy(const std::string& host, const std::string& as, const std::string& run_prefix) {
    const Journals before = fleet_;
    for (Journal run : before) {
      if (context_of(run).host != host) continue;
      for (Record& record : run) {
        std::visit([&](auto& one) { one.run_id = run_prefix + one.run_id; }, record);
        a_week_later(record);
      }
      std::get<ContextRecord>(run.front()).host = as;
      fleet_.push_back(run);
    }
  }

  Said accepted(const std::string& flags = "") {
    std::string journals;
    for (const Journal& run : fleet_) {
      std::string text;
      for (const Record& record : run) text += results::to_line(record) + "\n";
      const std::string name = context_of(run).run_id + ".jsonl";
      results::test::write_text(folder_ / name, text);
      journals += " " + name;
    }
    const Said imported = tests::assay_in(folder_.path(), "import --store s.sqlite" + journals);
    EXPECT_EQ(imported.exit_code, 0) << imported.text;
    return tests::assay_in(folder_.path(), "accept --store s.sqlite " + flags);
  }
  void expect(int exit_code, const std::string& because) {
    const Said said = accepted();
    EXPECT_EQ(said.exit_code, exit_code) << said.text;
    EXPECT_THAT(said.text, HasSubstr(because));
  }

  results::test::TemporaryFolder folder_;
};

TEST_F(AcceptedEvidence, IsGoodOfTenSoundHosts) { expect(0, "PASS: "); }

TEST_F(AcceptedEvidence, OfALossyLinkIsInconclusive) {
  change_first("h5", [](PointRecord& point) {
    point.conditions = {{"link_class", "lossy"}, {"link_class_why", "lossy: out_of_sequence +12"}};
  });
  expect(3, "3 points do not count: its link was not sound: lossy: out_of_sequence +12");
}

TEST_F(AcceptedEvidence, OfAFaultyLinkOfOneRankIsInconclusive) {
  change_first("h5", [](PointRecord& point) {
    point.conditions = {{"link_class", "clean"}, {"rank1_link_class", "faulty"}};
  });
  expect(3, "its link was not sound: faulty");
}

TEST_F(AcceptedEvidence, OfALinkWhoseCountersWereNotReadIsInconclusive) {
  change_first("h5", [](PointRecord& point) { point.conditions = {{"link_class", "unknown"}}; });
  expect(3, "its link's counters could not be followed");
}

class AcceptedRdma : public AcceptedEvidence {
 protected:
  AcceptedRdma() {
    change_points("", [](PointRecord& point) {
      point.case_name = "rdma.verbs.bandwidth", point.module = "rdma";
      point.conditions = {{"link_class", "clean"}, {"link_class_why", "clean: 43 counters watched"}};
    });
  }
};

TEST_F(AcceptedRdma, IsGoodWhereEveryLinkIsClean) { expect(0, "PASS: "); }

TEST_F(AcceptedRdma, WithoutAClassOfItsLinkIsInconclusive) {
  change_first("h5", [](PointRecord& point) { point.conditions = {}; });
  expect(3, "names no link_class");
}

TEST_F(AcceptedEvidence, ThatIsNoMeasurementOfPerformanceIsInconclusive) {
  change_first("h5", [](PointRecord& point) {
    point.conditions = {{"not_a_performance_measurement", "ranks share a GPU"}};
  });
  expect(3, "not a performance measurement: ranks share a GPU");
}

TEST_F(AcceptedEvidence, VerifiedAsWrongUnderStatusOkIsRefused) {
  change_first("h5", [](PointRecord& point) {
    point.verification = {core::Verification::Result::wrong, "element \"7\" differs", ""};
  });
  expect(1, "its verification says wrong: element \"7\" differs");
}

TEST_F(AcceptedEvidence, OfImpossibleNumbersIsInconclusive) {
  struct Case {
    std::function<void(PointRecord&)> how;
    const char* because;
  };
  const Case cases[] = {
      {[](PointRecord& point) { point.time->n = 0; }, "status ok, and 0 samples"},
      {[](PointRecord& point) { point.time->value_s *= -1; }, "an impossible time"},
      {[](PointRecord& point) { point.time->value_s = 0; }, "an impossible time"},
      {[](PointRecord& point) { point.time.reset(); }, "no time was recorded"},
      {[](PointRecord& point) { point.metrics[0].value = -5; }, "which is impossible"},
      {[](PointRecord& point) { std::swap(point.time->lower_s, point.time->upper_s); },
       "not within its interval"},
      {[](PointRecord& point) { std::swap(point.metrics[0].lower, point.metrics[0].upper); }, "upside down"},
      {[](PointRecord& point) {
         for (double& sample : point.samples_s) sample *= 2;
       },
       "its samples put the time"},
      {[](PointRecord& point) { point.samples_s[3] = -1e-3; }, "a sample is not a time"},
  };
  for (const Case& one : cases) {
    fleet_ = results::test::small_fleet();
    std::filesystem::remove(folder_ / "s.sqlite");
    change_first("h5", one.how);
    expect(3, one.because);
  }
}

TEST_F(AcceptedEvidence, WithoutAnyDigestIsInconclusive) {
  change_points("", [](PointRecord& point) {
    point.case_name = "memory.host.corruption";
    point.verification.digest = "0123abcd";
  });
  const Journals sound = fleet_;
  expect(0, "PASS: ");
  for (const char* host : {"h5", ""}) {
    fleet_ = sound;
    std::filesystem::remove(folder_ / "s.sqlite");
    change_first(host, [](PointRecord& point) { point.verification.digest = ""; });
    expect(3, *host != '\0' ? "has no digest, others have one" : "none of 10 units has a digest");
  }
}

TEST_F(AcceptedEvidence, OfCopiedJournalsUnderAnotherHostNameIsInconclusive) {
  change<ContextRecord>("", [](ContextRecord& context) {
    context.machine["gpus"] = context.machine["hcas"] = nlohmann::ordered_json::array();
  });
  copy("h5", "h10", "again-");
  expect(3, "hosts h5 and h10 have the same samples in 4 points of runs");
}

TEST_F(AcceptedEvidence, OfARunCopiedUnderAnotherNameIsInconclusive) {
  fleet_.erase(fleet_.begin() + 20, fleet_.end());
  copy("h5", "h5", "again-");
  expect(3, "a copy is not a second measurement");
}

TEST_F(AcceptedEvidence, OfOneSerialNumberInTwoHostsOrTwiceInOneIsInconclusive) {
  const auto with_uuids = [](const std::string& one, const std::string& other) {
    return [=](ContextRecord& context) {
      context.machine["gpus"] = nlohmann::ordered_json::array();
      context.machine["gpus"].push_back({{"index", 0}, {"name", "H100"}, {"uuid", one}});
      context.machine["gpus"].push_back({{"index", 1}, {"name", "H100"}, {"uuid", other}});
    };
  };
  change<ContextRecord>("h5", with_uuids("GPU-1", "GPU-2"));
  change<ContextRecord>("h6", with_uuids("GPU-1", "GPU-2"));
  expect(3, "one machine under two names");
  std::filesystem::remove(folder_ / "s.sqlite");
  change<ContextRecord>("h6", with_uuids("GPU-3", "GPU-3"));
  expect(3, "have one serial number, GPU-3");
}

TEST_F(AcceptedEvidence, OfSomeOfTheGpusOfAHostIsInconclusive) {
  change<ContextRecord>(
      "", [](ContextRecord& context) { context.machine["gpus"] = {{{"index", 0}, {"name", "H100"}}}; });
  change_points("", [](PointRecord& point) {
    point.point.emplace_back("gpu", std::int64_t{0});
    point.key += ",gpu=0";
  });
  const Journals sound = fleet_;
  expect(0, "PASS: ");
  for (const std::string host : {"h5", ""}) {
    fleet_ = sound;
    std::filesystem::remove(folder_ / "s.sqlite");
    change<ContextRecord>(host, [](ContextRecord& context) {
      context.machine["gpus"].push_back({{"index", 1}, {"name", "H100"}});
    });
    expect(3, "host h5: it has 2 GPUs, and of 1 nothing was measured: 1");
  }
}

TEST_F(AcceptedEvidence, OfAPointThatMeansSomethingElseOnOneHostIsInconclusive) {
  change_first("h5", [](PointRecord& point) { point.time->quantile = 0.99; });
  expect(3, "does not mean the same there: quantile of the time '0.99', on most hosts '0.5'");
}

/// Another name of the same GPU, even a blank behind it, makes no kind of its own.
TEST_F(AcceptedEvidence, OfAnotherGpuNameDoesNotHideASlowGpu) {
  fleet_ = results::test::small_fleet(1.3);
  change<ContextRecord>("", [](ContextRecord& context) {
    context.machine["gpus"] = {{{"index", 0}, {"name", context.host == "h3" ? "H100 SXM " : "H100 SXM"}}};
  });
  change_points("", [](PointRecord& point) {
    point.point.emplace_back("gpu", std::int64_t{0});
    point.key += ",gpu=0";
  });
  const Journals blank = fleet_;
  expect(1, "h3/gpu0");
  std::filesystem::remove(folder_ / "s.sqlite");
  fleet_ = blank;
  change<ContextRecord>("h3",
                        [](ContextRecord& context) { context.machine["gpus"][0]["name"] = "H100 PCIe"; });
  expect(3, "h100 pcie: 1 units in 1 hosts");
}

}  // namespace
}  // namespace assay::cli
