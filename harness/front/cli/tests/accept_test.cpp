// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay accept`: exit codes, formats, limits, and one line for input that cannot be
// used.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using tests::Said;

const char* const limits_head = "[machine]\ncpu = \"Example CPU 8000\"\n";

/// Ten hosts that measured the same, one run each.
class AcceptCommand : public testing::Test {
 protected:
  explicit AcceptCommand(int hosts = 10) {
    results::Store store(folder_ / "s.sqlite");
    for (int host = 0; host < hosts; ++host) measure(store, host);
  }
  Said accept(const std::string& flags) {
    return tests::assay_in(folder_.path(), "accept --store s.sqlite " + flags);
  }
  Said with_limit(const std::string& lines, const std::string& flags = "") {
    results::test::write_text(folder_ / "l.toml", limits_head + lines);
    return accept("--limits l.toml " + flags);
  }
  static std::string lowest(double gb_per_s) {
    return fmt::format(
        "[[limit]]\ncase = \"memory.host.copy\"\nmetric = \"bandwidth_gb_per_s\"\nlowest = {}\nunit = "
        "\"GB/s\"\nsource = \"a runbook\"\n",
        gb_per_s);
  }

  static std::vector<results::Record> measured(const std::string& run, int host, double gb_per_s) {
    results::test::RunBuilder builder(run);
    builder.begin(0, "memory");
    for (std::int64_t n = 0; n < 6; ++n)
      for (std::int64_t repetition = 0; repetition < 2; ++repetition) {
        auto record = builder.point("memory.host.copy", {{"bytes", (n + 1) << 28}});
        record.repetition = repetition;
        record.work_bytes = static_cast<double>((n + 1) << 28);
        const double bytes = record.work_bytes;
        builder.measured(std::move(record), bytes / (gb_per_s * 1e9),
                         {"bandwidth_gb_per_s", "GB/s", [bytes](double s) { return bytes / s * 1e-9; }});
      }
    builder.end();
    std::vector<results::Record> records = builder.take();
    for (results::Record& record : records)
      if (auto* context = std::get_if<results::ContextRecord>(&record))
        context->host = fmt::format("h{}", host);
    return records;
  }

  results::test::TemporaryFolder folder_;

 private:
  static void measure(results::Store& store, int host) {
    // Two that measured the very same would be one under two names.
    const double gb_per_s = 100 + 0.001 * host;
    store.add(measured(fmt::format("r{}", host), host, gb_per_s));
  }
};

TEST_F(AcceptCommand, AcceptsEqualHostsWithinTheirLimits) {
  const Said said = with_limit(lowest(90));
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, AllOf(HasSubstr("PASS: "), HasSubstr("assay accept: limits"),
                               HasSubstr("PASS: 60 PASS"), HasSubstr("l.toml: 1 limits, 10 hosts")));
}

/// Three hosts: too few to be compared with each other.
class AcceptFewHosts : public AcceptCommand {
 protected:
  AcceptFewHosts() : AcceptCommand(3) {}
  static std::string last_line(const std::string& text) { return tests::parted_at_last_line(text).second; }
};

TEST_F(AcceptFewHosts, AreAcceptedByLimitsThatJudgeEachOfTheirPoints) {
  const Said said = with_limit(lowest(90));
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_EQ(last_line(said.text), "PASS: (simulated) 18 judged\n");
}

TEST_F(AcceptFewHosts, AreOpenWithoutLimitsForEachPointAndTheLastLineSaysWhy) {
  const std::string part = lowest(90) + "point = { bytes = \"256MiB\" }\n";
  for (const Said& said : {accept(""), with_limit(part)}) {
    EXPECT_EQ(said.exit_code, 3) << said.text;
    EXPECT_THAT(last_line(said.text),
                AllOf(testing::StartsWith("INCONCLUSIVE: (simulated) all equals to compare with: "),
                      HasSubstr("fewer than 8 equals")));
  }
  EXPECT_EQ(with_limit(part, "--only limits").exit_code, 0);
}

TEST_F(AcceptFewHosts, RefuseAFileThatOnlyLeavesOutAndAPartWithoutItsFile) {
  EXPECT_THAT(accept("--only limits").text, HasSubstr("--only limits: expected --limits FILE with it"));
  EXPECT_THAT(with_limit(lowest(90), "--only equals").text, HasSubstr("--limits: left out by --only equals"));
  EXPECT_EQ(with_limit(lowest(90), "--only equals").exit_code, 2);
}

TEST_F(AcceptCommand, JudgesTheChosenRunsAlone) {
  results::Store(folder_ / "s.sqlite").add(measured("slow", 0, 80));
  const auto judged = [&](const std::string& runs) {
    return with_limit(lowest(90), "--only limits --format json --run " + runs);
  };
  EXPECT_EQ(judged("slow").exit_code, 1);
  const Said sound = judged("r0 r1");
  EXPECT_EQ(sound.exit_code, 0) << sound.text;
  EXPECT_THAT(sound.text, AllOf(HasSubstr("\"r0\""), HasSubstr("\"r1\""), testing::Not(HasSubstr("slow"))));
}

TEST_F(AcceptCommand, SaysSoOfDamageToTheChosenRunsAlone) {
  std::string lines;
  for (const results::Record& record : measured("torn", 10, 100.01)) lines += results::to_line(record) + "\n";
  results::test::write_text(folder_ / "torn.jsonl", lines + "no record\n");
  results::Store(folder_ / "s.sqlite").import_journal(folder_ / "torn.jsonl");
  EXPECT_EQ(with_limit(lowest(90), "--only limits --run r0").exit_code, 0);
  const Said said = with_limit(lowest(90), "--only limits --run torn");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text, HasSubstr("torn.jsonl"));
}

TEST_F(AcceptCommand, RefusesARunThatTheStoreDoesNotHold) {
  const Said said = accept("--run r77");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("no run 'r77'; the table 'runs' lists what is there"));
}

TEST_F(AcceptCommand, RefusesWhatIsBeyondALimitNamingUnitAndSource) {
  const Said said = with_limit(lowest(110));
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text,
              AllOf(HasSubstr("FAIL: 60 FAIL"), HasSubstr("h7"), HasSubstr("a runbook (l.toml:3)")));
}

TEST_F(AcceptCommand, IsUndecidedByALimitThatMatchesNothing) {
  const Said said = with_limit(
      "[[limit]]\ncase = \"gemm.*\"\nmetric = \"tflops\"\nlowest = 1\nunit = "
      "\"TFLOP/s\"\nsource = \"a runbook\"\n");
  EXPECT_EQ(said.exit_code, 3);
  EXPECT_THAT(said.text, HasSubstr("no point matches: gemm.*"));
}

TEST_F(AcceptCommand, EndsWithOneLineForLimitsThatCannotBeUsed) {
  const auto expect_line = [](const Said& said, const std::string& line) {
    EXPECT_EQ(said.exit_code, 2);
    EXPECT_THAT(said.text, HasSubstr(line));
    EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
  };
  expect_line(with_limit("[[limit]]\ncase = \n"), "assay: l.toml:4: ");
  expect_line(with_limit("[[limit]]\ncase = \"a\"\n"), "l.toml:3: limit.metric: missing");
  expect_line(accept("--limits none.toml"), "none.toml: cannot be read");
  results::test::write_text(folder_ / "o.toml", "[machine]\ngpu = \"NVIDIA H100*\"\n" + lowest(1));
  expect_line(
      accept("--limits o.toml"),
      "limits for another machine than host 'h9' of run r9: o.toml: no GPU (expected 'NVIDIA H100*')");
  expect_line(accept("--coefficients none.json"), "none.json: cannot be read");
  expect_line(accept("--coefficients none.json --model-margin much"),
              "--model-margin much: expected a margin from 0.01% to 50%");
}

TEST_F(AcceptCommand, RefusesWhatIsNoMargin) {
  for (const char* flag : {"--margin", "--site-margin", "--suspects", "--model-margin"})
    for (const char* value :
         {"nan", "-nan", "inf", "-3%", "-0.01", "0", "0%", "100%", "1", "150%", "1e-9", "3x"}) {
      const Said said = accept(fmt::format("{}={}", flag, value));
      EXPECT_EQ(said.exit_code, 2) << flag << ' ' << value << '\n' << said.text;
      EXPECT_THAT(said.text, HasSubstr(flag));
    }
}

TEST_F(AcceptCommand, IsUndecidedWhereABoardWasExchanged) {
  {
    results::Store store(folder_ / "s.sqlite");
    for (const char* uuid : {"GPU-1", "GPU-2"}) {
      results::test::RunBuilder builder(uuid);
      builder.begin(0, "memory");
      std::vector<results::Record> records = builder.take();
      for (results::Record& record : records) {
        auto& context = std::get<results::ContextRecord>(record);
        context.started = fmt::format("2026-01-0{}T00:00:00.000Z", uuid[4]);
        context.machine["gpus"] = {{{"index", 0}, {"uuid", uuid}}};
      }
      store.add(records);
    }
  }
  const Said said = accept("");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text,
              HasSubstr("host node-a: run GPU-1 (2026-01-01T00:00:00.000Z) and run GPU-2 "
                        "(2026-01-02T00:00:00.000Z) are of other hardware under one name: GPU 0 is "
                        "GPU-1 in one and GPU-2 in the other"));
}

TEST_F(AcceptCommand, SaysThatWhatIsHeldAgainstLimitsWasSimulated) {
  EXPECT_THAT(with_limit(lowest(90)).text, HasSubstr("l.toml: 1 limits, 10 hosts, simulated"));
}

TEST_F(AcceptCommand, WritesItsVerdictsBesideTheTable) {
  const Said said = with_limit(lowest(90), "--verdicts v.json");
  EXPECT_THAT(said.text, HasSubstr("PASS: "));
  const results::Verdicts verdicts = results::read_verdicts(folder_ / "v.json");
  EXPECT_EQ(verdicts.command, "accept");
  EXPECT_EQ(verdicts.verdict, results::Verdict::pass);
  EXPECT_EQ(with_limit(lowest(90), "--format json").text, results::to_json(verdicts));
}

TEST_F(AcceptCommand, GivesJunitThatAnXmlParserReads) {
  const Said said = with_limit(lowest(110),
                               "--format junit --verdicts v.json > j.xml; python3 -c '"
                               "import xml.etree.ElementTree as e; r = e.parse(\"j.xml\").getroot(); "
                               "print(r.tag, r.get(\"failures\"), len(r.findall(\".//failure\")), "
                               "len(r.findall(\".//testcase\")) == int(r.get(\"tests\")))'");
  EXPECT_EQ(said.text, "testsuites 60 60 True\n");
}

TEST_F(AcceptCommand, SaysInEveryFormatThatNothingWasMeasured) {
  EXPECT_THAT(accept("").text, HasSubstr(" (simulated)\n"));
  EXPECT_THAT(accept("--format line").text, testing::StartsWith("PASS: (simulated) "));
  EXPECT_THAT(accept("--format junit").text, HasSubstr("<property name=\"origin\" value=\"simulated\"/>"));
  const std::string series = accept("--format prometheus").text;
  EXPECT_THAT(series, AllOf(HasSubstr("assay_verdict{command=\"accept\",origin=\"simulated\","),
                            HasSubstr("origin=\"simulated\",unit=")));
  const std::string csv = accept("--format csv").text;
  EXPECT_THAT(csv, HasSubstr(",origin\n"));
  const auto verdicts = core::json_from<nlohmann::json>(accept("--format json").text);
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + std::ssize(verdicts.at("rows")));
  EXPECT_THAT(csv, testing::EndsWith(",simulated\n"));
  for (const auto& row : verdicts.at("rows")) EXPECT_EQ(row.at("origin"), "simulated");
  const std::string fleet = tests::assay_in(folder_.path(), "show fleet --store s.sqlite").text;
  EXPECT_THAT(fleet, HasSubstr("10 hosts, the worst first (simulated)\n"));
}

TEST_F(AcceptCommand, HoldsEveryHostAgainstCoefficientsOfOneAndSaysWhatHasNone) {
  const Said fitted = tests::assay_in(folder_.path(), "fit memory --store s.sqlite --run r0 -o c.json");
  ASSERT_EQ(fitted.exit_code, 0) << fitted.text;
  const Said said = accept("--coefficients c.json --format csv");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, AllOf(HasSubstr("PASS,h9,host,memory.host.copy/bytes=268435456 time_us,"),
                               HasSubstr("predicted by c.json"),
                               HasSubstr("the fit has seen this point: no evidence of its own")));
}

/// Whatever judged is in the bundle: coefficients, whose model lies above the judges, and the margins of
/// each.
TEST_F(AcceptCommand, SaysTheSameInABundleThatIsReplayedWithoutTheFilesOfTheJudges) {
  const std::string folder = folder_.path();
  ASSERT_EQ(tests::assay_in(folder, "fit memory --store s.sqlite --run r0 -o c.json").exit_code, 0);
  const std::string judged = "--store s.sqlite --coefficients c.json --model-margin 20% --drift 5% ";
  const Said accepted = tests::assay_in(folder, "accept --verdicts a.json " + judged);
  const Said made = tests::assay_in(folder, "bundle -o b.bundle " + judged);
  EXPECT_EQ(made.exit_code, accepted.exit_code) << made.text;
  std::filesystem::remove(folder_ / "c.json");
  const std::string seal = made.text.substr(made.text.rfind("seal     ") + 9, 64);
  const Said replayed = tests::assay_in(folder, "replay b.bundle --verdicts r.json --seal " + seal);
  EXPECT_EQ(replayed.exit_code, made.exit_code);
  const auto [verdicts, reason] = tests::parted_at_last_line(replayed.text);
  EXPECT_EQ(verdicts, made.text.substr(0, verdicts.size()));
  EXPECT_THAT(reason, testing::StartsWith("PASS: (simulated) "));
  EXPECT_THAT(replayed.text, HasSubstr("predicted by coefficients/c.json, margin 20 %"));
  EXPECT_EQ(results::read_verdicts(folder_ / "r.json").rows.size(),
            results::read_verdicts(folder_ / "a.json").rows.size());
  const Said same = tests::assay_in(folder, "diff b.bundle b.bundle");
  EXPECT_EQ(same.exit_code, 0) << same.text;
  tests::assay_in(folder, "bundle -o other.bundle --store s.sqlite --drift 5%");
  EXPECT_THAT(tests::assay_in(folder, "diff b.bundle other.bundle").text,
              HasSubstr("differs: limit: the coefficients"));
}

TEST_F(AcceptCommand, HoldsNoRoundOfABurnInThatRanTwoModulesTogetherAgainstEqualsLimitsOrCoefficients) {
  ASSERT_EQ(tests::assay_in(folder_.path(), "fit memory --store s.sqlite --run r0 -o c.json").exit_code, 0);
  for (results::Record& record : measured("b-r0002-together-memory", 1, 50)) {
    if (auto* context = std::get_if<results::ContextRecord>(&record))
      context->started = "2036-01-02T00:00:00.000Z";
    if (auto* end = std::get_if<results::EndRecord>(&record)) end->ended = "2036-01-02T01:00:00.000Z";
    results::Store(folder_ / "s.sqlite").add(record);
  }
  const Said said = with_limit(lowest(90), "--coefficients c.json");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, AllOf(HasSubstr("12 points of a burn-in's rounds together"),
                               HasSubstr("\n6 points of a burn-in's rounds together")))
      << "the model is held against medians over repetitions";
}

}  // namespace
}  // namespace assay::cli
