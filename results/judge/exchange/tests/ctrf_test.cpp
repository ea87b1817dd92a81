// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// CTRF, byte for byte, and the rules of its specification that no schema states.
#include "results/judge/exchange/ctrf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/core/version.hpp"
#include "results/judge/tests/sample_verdicts.hpp"

namespace assay::results {
namespace {

using CtrfReport = nlohmann::json;

std::string ctrf_text(const Verdicts& verdicts) {
  const ToldRun::Time start{std::chrono::seconds(1)};
  const ToldRun run{.started = start, .now = [start] { return start + std::chrono::milliseconds(250); }};
  return core::written([&](const core::ByteSink& sink) { write_ctrf(verdicts, run, sink); });
}

CtrfReport ctrf_of(const Verdicts& verdicts) {
  return core::json_from<CtrfReport>(ctrf_text(verdicts)).at("results");
}

Verdicts ctrf_row(VerdictRow row) {
  Verdicts verdicts{.command = "check", .rows = {std::move(row)}};
  settle(verdicts);
  return verdicts;
}

const std::string ctrf_of_the_sample = R"({
  "reportFormat": "CTRF",
  "specVersion": "0.0.0",
  "timestamp": "1970-01-01T00:00:01.250Z",
  "generatedBy": "assay )" + core::version() +
                                       R"(",
  "results": {
    "tool": {
      "name": "assay accept",
      "version": ")" + core::version() +
                                       R"("
    },
    "summary": {
      "tests": 5,
      "passed": 1,
      "failed": 2,
      "skipped": 2,
      "pending": 0,
      "other": 0,
      "start": 1000,
      "stop": 1250,
      "duration": 250,
      "extra": {
        "assay.verdict": {
          "verdict": "FAIL",
          "subject": "2 gpus",
          "origin": "imported"
        }
      }
    },
    "extra": {
      "assay.evidence": {
        "notes": [
          "simulated"
        ]
      }
    },
    "tests": [
      {
        "name": "evidence is complete",
        "status": "failed",
        "duration": 0,
        "suite": [
          "assay accept"
        ],
        "rawStatus": "FAIL",
        "message": "FAIL: 1 of 4 were not judged"
      },
      {
        "name": "copy",
        "status": "failed",
        "duration": 0,
        "suite": [
          "assay accept",
          "h1/gpu1"
        ],
        "rawStatus": "FAIL",
        "message": "beyond\nthe limit\nrun 1\\2\nlimit: at least 48 GB/s, a \"runbook\" & <more>\nmeaning: slow\naction: drain",
        "labels": {
          "unit": "h1/gpu1",
          "kind": "gpu",
          "origin": "imported"
        },
        "extra": {
          "assay.measurement": {
            "value": 44.5,
            "lower": 44.0,
            "upper": 45.0,
            "limit_lowest": 48.0,
            "value_unit": "GB/s",
            "n": 3
          }
        }
      },
      {
        "name": "all points",
        "status": "skipped",
        "duration": 0,
        "suite": [
          "assay accept",
          "h2"
        ],
        "rawStatus": "NOT_RUN",
        "message": "not there",
        "labels": {
          "unit": "h2",
          "kind": "host",
          "origin": "imported"
        }
      },
      {
        "name": "copy",
        "status": "passed",
        "duration": 0,
        "suite": [
          "assay accept",
          "h1/gpu0"
        ],
        "rawStatus": "PASS",
        "message": "within the limit\nlimit: at least 48 GB/s, a runbook",
        "labels": {
          "unit": "h1/gpu0",
          "kind": "gpu",
          "origin": "imported"
        },
        "extra": {
          "assay.measurement": {
            "value": 49.5,
            "lower": 49.0,
            "upper": 50.0,
            "limit_lowest": 48.0,
            "value_unit": "GB/s",
            "n": 3,
            "smallest_defect": 0.04
          }
        }
      },
      {
        "name": "racks",
        "status": "skipped",
        "duration": 0,
        "suite": [
          "assay accept"
        ],
        "rawStatus": "excused",
        "message": "too few",
        "labels": {
          "kind": "rack",
          "origin": "imported"
        }
      }
    ]
  }
}
)";

TEST(Ctrf, IsThis) { EXPECT_EQ(ctrf_text(test::sample_verdicts()), ctrf_of_the_sample); }

TEST(Ctrf, CountsEachTestOnce) {
  Verdicts verdicts = test::sample_verdicts();
  for (const Verdict verdict : every_verdict) verdicts.rows.push_back({.metric = "m", .verdict = verdict});
  settle(verdicts);
  const CtrfReport report = ctrf_of(verdicts);
  std::map<std::string, int> counts;
  for (const CtrfReport& test : report.at("tests")) ++counts[test.at("status")];
  const CtrfReport& summary = report.at("summary");
  int sum = 0;
  for (const char* status : {"passed", "failed", "skipped", "pending", "other"}) {
    EXPECT_EQ(summary.at(status), counts[status]) << status;
    sum += counts[status];
  }
  EXPECT_EQ(summary.at("tests"), sum);
  EXPECT_EQ(report.at("tests").size(), 1 + verdicts.rows.size());
}

/// Statuses of the test "evidence is complete" and of the row.
std::string statuses_of(const VerdictRow& row) {
  const CtrfReport report = ctrf_of(ctrf_row(row));
  return report.at("tests").at(0).at("status").get<std::string>() + " " +
         report.at("tests").at(1).at("status").get<std::string>();
}

TEST(Ctrf, PassesOnlyWhatIsFitAndFailsTheTestOfEvidenceElse) {
  EXPECT_EQ(statuses_of({.verdict = Verdict::pass}), "passed passed");
  EXPECT_EQ(statuses_of({.verdict = Verdict::degraded}), "passed passed");
  EXPECT_EQ(statuses_of({.verdict = Verdict::fail}), "passed failed");
  EXPECT_EQ(statuses_of({.verdict = Verdict::inconclusive}), "failed other");
  EXPECT_EQ(statuses_of({.verdict = Verdict::not_run}), "failed skipped");
  EXPECT_EQ(statuses_of({.excused = true}), "failed skipped");
  EXPECT_EQ(ctrf_of({.command = "accept"}).at("summary").at("failed"), 1) << "nothing was judged";
}

TEST(Ctrf, HasNoNumberThatIsNone) {
  const VerdictRow row{.value = Number{NAN, -INFINITY, 3}, .limit = VerdictLimit{.highest = INFINITY}};
  const CtrfReport test = ctrf_of(ctrf_row(row)).at("tests").at(1);
  EXPECT_EQ(test.at("extra").at("assay.measurement"), CtrfReport({{"upper", 3}}));
  EXPECT_EQ(test.at("name"), "all") << "a name is never empty";
}

}  // namespace
}  // namespace assay::results
