// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/files/whole_file.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/bundle/evidence.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;

/// `assay bundle`, `replay` and `diff` of a small fleet, one host of which is slow.
class BundleCommand : public testing::Test {
 protected:
  void SetUp() override { results::test::put_small_fleet(folder_ / "store.db", 1.05); }
  Said assay(const std::string& arguments) const {
    return tests::assay_in(folder_.path().string(), arguments);
  }

  results::test::TemporaryFolder folder_;
};

TEST_F(BundleCommand, IsReplayedToTheByteAndSaysWhatAcceptSays) {
  const Said made = assay("bundle -o a.bundle --store store.db");
  EXPECT_EQ(made.exit_code, 1) << made.text;
  const std::string seal = " --seal " + made.text.substr(made.text.rfind("seal     ") + 9, 64);
  const Said once = assay("replay a.bundle" + seal), twice = assay("replay a.bundle" + seal);
  EXPECT_EQ(once.exit_code, 1);
  EXPECT_EQ(once.text, twice.text);
  const auto [judged, reason] = tests::parted_at_last_line(once.text);
  EXPECT_EQ(made.text.substr(0, judged.size()), judged);
  const Said accepted = assay("accept --store store.db");
  EXPECT_EQ(accepted.exit_code, 1);
  const auto [tables, accepted_reason] = tests::parted_at_last_line(accepted.text);
  EXPECT_THAT(judged, HasSubstr(tables.substr(0, tables.size() - 1)));  // without the empty line at its end
  EXPECT_EQ(reason, accepted_reason);
}

TEST_F(BundleCommand, IsReadByTheUsualTools) {
  assay("bundle -o a.bundle --store store.db");
  const auto sums = suite::run_and_read(
      {"/bin/sh", "-c",
       "cd " + folder_.path().string() + " && tar xf a.bundle && sha256sum -c SHA256SUMS 2>&1"});
  EXPECT_EQ(sums.ending.exit_code, 0) << sums.text;
  EXPECT_THAT(sums.text, HasSubstr("records.jsonl: OK"));
  EXPECT_EQ(assay("import --store again.db records.jsonl").exit_code, 0);
}

TEST_F(BundleCommand, IsMadeOfAFilterThatIsNotUtf8) {
  const Said made = assay("bundle -o a.bundle --store store.db --filter 'memory.*,\xff*'");
  EXPECT_EQ(made.exit_code, 3) << made.text;
  EXPECT_EQ(assay("replay a.bundle").exit_code, 3) << "no point matches";
}

TEST_F(BundleCommand, ThatWasAlteredIsRefusedWithTheMembersName) {
  assay("bundle -o a.bundle --store store.db");
  std::string bytes = results::test::read_text(folder_ / "a.bundle");
  bytes[bytes.find("memory.host.copy")] = 'M';
  results::test::write_text(folder_ / "a.bundle", bytes);
  const Said said = assay("replay a.bundle");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text, "assay: a.bundle: records.jsonl was altered after the bundle was made\n");
}

TEST_F(BundleCommand, ThatWasMadeAnewIsToldByItsSeal) {
  const Said made = assay("bundle -o a.bundle --store store.db");
  const std::string seal = made.text.substr(made.text.rfind("seal     ") + 9, 64);
  EXPECT_EQ(assay("replay a.bundle --seal " + seal).exit_code, 1);
  assay("bundle -o a.bundle --store store.db --run round1-h0");
  const Said said = assay("replay a.bundle --seal " + seal);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("another bundle, or one that was rebuilt"));
}

TEST_F(BundleCommand, ThatIsReplayedWithoutItsSealSaysSo) {
  assay("bundle -o a.bundle --store store.db");
  const Said said = assay("replay a.bundle --verdicts v.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text,
              HasSubstr("whether this is the original bundle or one that was rebuilt is unknown\nFAIL: "));
  EXPECT_THAT(results::read_verdicts(folder_ / "v.json").notes,
              testing::Contains(HasSubstr("no seal was given")));
  for (const char* seal : {"''", "abc", "'no seal'"}) {
    const Said refused = assay(std::string("replay a.bundle --seal ") + seal);
    EXPECT_EQ(refused.exit_code, 2) << seal;
    EXPECT_THAT(refused.text, HasSubstr("expected the 64 hex digits that assay bundle printed"));
  }
}

/// Its chain rebuilt around other content, by someone without the program that judges.
TEST_F(BundleCommand, ThatWasMadeAnewByHandIsToldWithoutItsSeal) {
  assay("bundle -o a.bundle --store store.db");
  results::BundledEvidence loosened = results::read_bundle(folder_ / "a.bundle").evidence;
  loosened.order.rules.margin = 0.5;
  core::write_whole_file(folder_ / "b.bundle",
                         [&](const core::ByteSink& sink) { results::pack(loosened, sink); });
  const Said said = assay("replay b.bundle");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text, HasSubstr("its records, limits or verdicts were exchanged and its chain rebuilt"));
}

TEST_F(BundleCommand, IsJudgedWithoutATemporaryFile) {
  assay("bundle -o a.bundle --store store.db");
  const Said usual = assay("replay a.bundle");
  const auto without = suite::run_and_read({"/bin/sh", "-c",
                                            "cd " + folder_.path().string() + " && TMPDIR=/nowhere " +
                                                ASSAY_BIN_DIR + "/assay replay a.bundle 2>&1"});
  EXPECT_EQ(without.ending.exit_code, usual.exit_code);
  EXPECT_EQ(without.text, usual.text);
}

TEST_F(BundleCommand, DiffNamesTheLimitThatChangedAVerdict) {
  assay("bundle -o a.bundle --store store.db");
  assay("bundle -o b.bundle --store store.db --accept-margin 0.5 --site-margin 0.5");
  const Said same = assay("diff a.bundle a.bundle");
  EXPECT_EQ(same.exit_code, 0) << same.text;
  const Said said = assay("diff a.bundle b.bundle --format csv");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("limit,all,verdict,FAIL,"));
}

TEST_F(BundleCommand, TakesLimitsWhoseNameHasTwoDotsInARow) {
  results::test::write_text(folder_ / "a..b.toml",
                            "[machine]\ncpu = \"*\"\n[[limit]]\ncase = \"memory.*\"\nmetric = \"time_us\"\n"
                            "highest = 1e9\nunit = \"us\"\nsource = \"a runbook\"\n");
  const Said made = assay("bundle -o a.bundle --store store.db --limits a..b.toml");
  EXPECT_EQ(made.exit_code, 1) << made.text;
  EXPECT_THAT(made.text, HasSubstr("limits/a._b.toml: 1 limits, 10 hosts, simulated"));
  EXPECT_EQ(assay("replay a.bundle").exit_code, 1);
}

TEST_F(BundleCommand, JudgesALogbookAndSaysInOneRowThatItIsNone) {
  results::test::write_text(folder_ / "health.json", "no logbook");
  const Said said = assay("bundle -o a.bundle --store store.db --no-accept --check-logbook health.json");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text, HasSubstr("logbooks/health.json: no logbook of assay check: "));
}

TEST_F(BundleCommand, SaysInOneLineWhatIsWrongWithItsInput) {
  EXPECT_THAT(assay("bundle -o a.bundle --store none.db").text, HasSubstr("none.db: no such store"));
  EXPECT_THAT(assay("bundle -o a.bundle --store store.db --run none").text, HasSubstr("no run 'none'"));
  EXPECT_THAT(assay("bundle -o a.bundle --store store.db --limits none.toml").text,
              HasSubstr("none.toml: cannot be read"));
  EXPECT_THAT(assay("bundle -o a.bundle --store store.db --limits /dev/zero").text,
              HasSubstr("/dev/zero: is a device"));
  EXPECT_THAT(assay("bundle -o nowhere/a.bundle --store store.db").text,
              HasSubstr("nowhere/a.bundle: cannot be written"));
  EXPECT_THAT(assay("replay none.bundle").text, HasSubstr("none.bundle: cannot be read"));
  for (const char* arguments :
       {"replay none.bundle", "diff none.bundle none.bundle", "bundle --store store.db"})
    EXPECT_EQ(assay(arguments).exit_code, 2) << arguments;
}

/// Reports of `assay import` on journals that are not what they seem.
class ImportCommand : public BundleCommand {
 protected:
  void write(const std::string& name, const std::vector<results::Record>& records) const {
    std::string text;
    for (const results::Record& record : records) text += to_line(record) + "\n";
    results::test::write_text(folder_ / name, text);
  }
};

TEST_F(ImportCommand, TellsAJournalThatIsThereAlready) {
  write("a.jsonl", results::test::small_fleet().front());
  EXPECT_EQ(assay("import --store new.db a.jsonl").exit_code, 0);
  const Said said = assay("import --store new.db a.jsonl");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text,
              HasSubstr("0 records added, 6 already there, 0 damaged (imported before: nothing new)"));
}

TEST_F(ImportCommand, MakesTheFolderOfItsStoreAndTakesNoFolderForAJournal) {
  write("a.jsonl", results::test::small_fleet().front());
  EXPECT_EQ(assay("import --store new/er/store.db a.jsonl").exit_code, 0);
  const Said folder = assay("import --store new/er/store.db new");
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_EQ(folder.text, "assay: new: is a folder; expected a journal\n");
  const Said file = assay("import --store a.jsonl/store.db a.jsonl");
  EXPECT_EQ(file.exit_code, 2);
  EXPECT_THAT(file.text, HasSubstr("store a.jsonl/store.db: its folder cannot be made: "));
}

TEST_F(ImportCommand, TellsClocksThatWentBackAndHostsThatAreThereTwice) {
  auto run = results::test::small_fleet().front();
  std::get<results::PointRecord>(run[2]).started = "2026-01-01T00:00:00Z";
  write("a.jsonl", run);
  const Said clock = assay("import --store new.db a.jsonl");
  EXPECT_EQ(clock.exit_code, 3);
  EXPECT_THAT(clock.text, HasSubstr("a.jsonl:3: the clock went back"));
  auto other = results::test::small_fleet().front();
  for (auto& record : other) std::visit([](auto& held) { held.run_id = "other"; }, record);
  write("b.jsonl", other);
  const Said twice = assay("import --store twice.db a.jsonl b.jsonl");
  EXPECT_EQ(twice.exit_code, 3);
  EXPECT_THAT(twice.text, HasSubstr("host h0: run "));
  EXPECT_THAT(twice.text, HasSubstr("2 journals: 12 records added"));
}

/// Judges of a store that was made of a damaged journal.
class DamagedImport : public ImportCommand {
 protected:
  /// The whole fleet but for one byte of a line.
  void SetUp() override {
    for (const auto& run : results::test::small_fleet())
      for (const results::Record& record : run) lines_.push_back(to_line(record));
    write_journal("whole.jsonl", lines_);
    auto damaged = lines_;
    damaged[7][40] ^= 1;
    write_journal("damaged.jsonl", damaged);
  }
  void write_journal(const std::string& name, const std::vector<std::string>& lines) const {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    results::test::write_text(folder_ / name, text);
  }
  std::vector<std::string> lines_;
};

TEST_F(DamagedImport, KeepsEveryJudgeFromPassingUntilTheJournalComesWhole) {
  EXPECT_EQ(assay("import --store new.db damaged.jsonl").exit_code, 3);
  for (const char* judge :
       {"accept --store new.db", "bundle -o a.bundle --store new.db", "replay a.bundle"}) {
    const Said said = assay(judge);
    EXPECT_EQ(said.exit_code, 3) << judge << said.text;
    EXPECT_THAT(said.text, HasSubstr("damaged.jsonl:8: damaged line: ")) << judge;
  }
  EXPECT_EQ(assay("import --store new.db whole.jsonl").exit_code, 0);
  const Said healed = assay("accept --store new.db");
  EXPECT_EQ(healed.exit_code, 0) << healed.text;
}

TEST_F(DamagedImport, AStoreThatWasScribbledOnIsJudgedByNobody) {
  assay("import --store new.db whole.jsonl");
  EXPECT_EQ(assay("accept --store new.db --verdicts v.json").exit_code, 0);
  std::string bytes = results::test::read_text(folder_ / "new.db");
  bytes.replace(bytes.size() / 2, 64, 64, 'x');
  results::test::write_text(folder_ / "new.db", bytes);
  for (const char* judge : {"accept --store new.db", "bundle -o a.bundle --store new.db",
                            "compare round1-h0 round2-h0 --store new.db", "report --fleet --store new.db"}) {
    const Said said = assay(judge);
    EXPECT_EQ(said.exit_code, 3) << judge << said.text;
    EXPECT_THAT(said.text, HasSubstr("does not match its checksum: import the journals into a new store"))
        << judge;
  }
}

TEST_F(DamagedImport, AReportTakesTheVerdictsOfItsOwnRecordsOnly) {
  assay("import --store new.db whole.jsonl");
  assay("accept --store new.db --verdicts own.json");
  results::test::put_small_fleet(folder_ / "other.db", 1.2);
  assay("accept --store other.db --verdicts other.json");
  EXPECT_EQ(assay("report --fleet --store new.db --verdicts own.json").exit_code, 0);
  const Said other = assay("report --fleet --store new.db --verdicts other.json");
  EXPECT_EQ(other.exit_code, 2) << other.text;
  EXPECT_THAT(other.text, HasSubstr("other.json: verdicts of other records: run "));
}

/// Printed text must have arrived, whatever the command.
TEST_F(BundleCommand, AFullStandardOutputIsAnErrorOfEveryCommand) {
  assay("bundle -o a.bundle --store store.db");
  for (const char* arguments :
       {"--help", "--version", "list", "machine", "machine --format json", "show --store store.db",
        "show runs --store store.db", "accept --store store.db --format json",
        "report --fleet --store store.db", "bundle -o b.bundle --store store.db", "replay a.bundle",
        "diff a.bundle a.bundle", "run --show-commands"}) {
    const auto said = suite::run_and_read({"/bin/sh", "-c",
                                           "cd " + folder_.path().string() + " && " + ASSAY_BIN_DIR +
                                               "/assay " + arguments + " 2>&1 >/dev/full"});
    EXPECT_NE(said.ending.exit_code, 0) << arguments;
    EXPECT_THAT(said.text, HasSubstr("assay: standard output could not be written")) << arguments;
  }
}

TEST_F(BundleCommand, ADeviceNamedAsOutputIsWrittenInto) {
  EXPECT_EQ(assay("accept --store store.db --verdicts /dev/null").exit_code, 1);
  const Said through = assay("report --fleet --store store.db -o /dev/stdout");
  EXPECT_THAT(through.text, HasSubstr("</html>"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace assay::cli
