// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From simulations of a fabric over their journal to the store, its tables and the report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/front/cli/tests/said.hpp"
#include "results/record/journal.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using results::test::sample_context;
using results::test::sample_end;
using results::test::sample_point;
using results::test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::Said;

class FabricJournalCommand : public testing::Test {
 protected:
  Said assay(const std::string& arguments) const {
    return tests::assay_in(folder_.path().string(), arguments);
  }
  /// Runs `assay fabric` with the examples that ship.
  Said fabric(const std::string& question, const std::string& workload, const std::string& flags = "") const {
    return assay("fabric " + question + " " + examples + "zone-128.toml " + examples + workload + " " +
                 flags + " --journal j.jsonl");
  }
  void import() const {
    const Said said = assay("import j.jsonl --store s.sqlite");
    EXPECT_EQ(said.exit_code, 0) << said.text;
  }

  const std::string examples = std::string(ASSAY_SOURCE_DIR) + "/model/examples/fabric/";
  TemporaryFolder folder_;
};

TEST_F(FabricJournalCommand, PoliciesAreInTheStoreAsSimulatedAndInTheReport) {
  const Said compared = fabric("compare", "ring-128.toml", "--vary routing=ecmp,te --vary queue_pairs=1,4");
  EXPECT_EQ(compared.exit_code, 0) << compared.text;
  import();
  EXPECT_THAT(assay("show runs --store s.sqlite").text,
              AllOf(HasSubstr("simulated"), HasSubstr("ring of 128")));
  EXPECT_THAT(assay("show points --store s.sqlite --filter '*.workload'").text,
              AllOf(HasSubstr("(simulated)"), HasSubstr("routing=te,queue_pairs=4,sharing=auto,seeds=1")));
  EXPECT_EQ(assay("report --store s.sqlite -o r.html").exit_code, 0);
  const std::string page = tests::text_of((folder_.path() / "r.html").string());
  EXPECT_THAT(page, AllOf(HasSubstr("Simulated time by step"), HasSubstr("Simulated imbalance of uplinks"),
                          HasSubstr("Simulated load of leaves"), HasSubstr("Known error: "),
                          HasSubstr("zone of 128: 128 GPUs, 8 leaf switches")));
  EXPECT_THAT(page, Not(HasSubstr("measured points")));
}

/// The same workloads on two fabrics, a store of each.
class TwoSimulatedFabrics : public FabricJournalCommand {
 protected:
  void simulate(const std::string& fabric, const std::string& workload, const std::string& store,
                const std::string& flags = "--seeds 8") const {
    const Said said = assay("fabric simulate " + examples + fabric + " " + examples + workload + " " + flags +
                            " --journal " + store + ".jsonl");
    EXPECT_EQ(said.exit_code, 0) << said.text;
  }
  void import_into(const std::string& store, const std::string& journal) const {
    const Said said = assay("import " + journal + " --store " + store + ".sqlite");
    EXPECT_EQ(said.exit_code, 0) << said.text;
  }
  Said compare(const std::string& flags) const { return assay("compare --populations " + flags); }
};

TEST_F(TwoSimulatedFabrics, AreComparedAsPopulationsOfSeedsWhateverDiffersBetweenThem) {
  for (const std::string workload : {"ring-128.toml", "permutation-128.toml"}) {
    simulate("zone-infiniband.toml", workload, "ib");
    simulate("zone-roce.toml", workload, "roce");
  }
  import_into("ib", "ib.jsonl");
  import_into("roce", "roce.jsonl");
  const Said worse = compare("ib.sqlite roce.sqlite");
  EXPECT_EQ(worse.exit_code, 1) << worse.text;
  EXPECT_THAT(worse.text, AllOf(HasSubstr("8 and 8 seeds"), HasSubstr("workload=ring of 128"),
                                HasSubstr("workload=permutation of 128"), HasSubstr("(simulated)"),
                                HasSubstr("Nothing here was measured: every value is simulated."),
                                HasSubstr("Fabrics: "), Not(HasSubstr("queue_pairs="))));
  EXPECT_EQ(compare("roce.sqlite ib.sqlite").exit_code, 0);
}

TEST_F(TwoSimulatedFabrics, OfOneNameAreTwoFabricsAllTheSame) {
  simulate("zone-128.toml", "ring-128.toml", "four");
  simulate("zone-128.toml", "ring-128.toml", "sixteen", "--seeds 8 --set routing.queue_pairs=16");
  import_into("four", "four.jsonl");
  import_into("sixteen", "sixteen.jsonl");
  EXPECT_EQ(compare("four.sqlite sixteen.sqlite").exit_code, 0);
  EXPECT_EQ(compare("sixteen.sqlite four.sqlite").exit_code, 1);
}

TEST_F(TwoSimulatedFabrics, AKeyThatOneStoreVariesStaysPartOfThePoint) {
  simulate("zone-128.toml", "ring-128.toml", "one");
  simulate("zone-128.toml", "ring-128.toml", "two");
  simulate("zone-128.toml", "ring-128.toml", "two", "--seeds 8 --set routing.queue_pairs=16");
  import_into("one", "one.jsonl");
  import_into("two", "two.jsonl");
  const Said said = compare("one.sqlite two.sqlite");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text, HasSubstr("queue_pairs=4"));
}

TEST_F(TwoSimulatedFabrics, NeedSixSeedsEachAndWholeWorkloads) {
  simulate("zone-infiniband.toml", "ring-128.toml", "ib", "--seeds 5");
  simulate("zone-roce.toml", "ring-128.toml", "roce", "--seeds 5");
  import_into("ib", "ib.jsonl");
  import_into("roce", "roce.jsonl");
  const Said few = compare("ib.sqlite roce.sqlite");
  EXPECT_EQ(few.exit_code, 3);
  EXPECT_THAT(few.text, HasSubstr("5 and 5 seeds: at least 6 on each side are needed"));
  const Said parts = compare("ib.sqlite roce.sqlite --filter fabric.flows.step");
  EXPECT_EQ(parts.exit_code, 2);
  EXPECT_THAT(parts.text, HasSubstr("no workload was simulated that could be compared"));
}

TEST_F(TwoSimulatedFabrics, ShipAsExamples) {
  import_into("ib", examples + "fleet-infiniband.jsonl");
  import_into("roce", examples + "fleet-roce.jsonl");
  const Said said = compare("ib.sqlite roce.sqlite");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, AllOf(HasSubstr("20 and 20 seeds"), HasSubstr("every value is simulated")));
}

TEST_F(FabricJournalCommand, AMissingFolderIsAMistakeAsForEveryOtherOutput) {
  for (const std::string output : {"--journal missing/j.jsonl", "-o missing/order.csv"}) {
    const Said said =
        assay("fabric place " + examples + "zone-128.toml " + examples + "ring-128.toml " + output);
    EXPECT_EQ(said.exit_code, 2) << said.text;
    EXPECT_THAT(said.text, AllOf(HasSubstr("missing/"), HasSubstr("cannot be written")));
  }
}

TEST_F(FabricJournalCommand, SizesAndPlacementsAreInTheStore) {
  EXPECT_EQ(fabric("size", "ring-128.toml", "--at-most 80ms").exit_code, 0);
  EXPECT_EQ(fabric("place", "data-parallel-128.toml", "--set host.gpus=8").exit_code, 0);
  EXPECT_EQ(fabric("simulate", "ring-128.toml").exit_code, 0);
  import();
  EXPECT_THAT(assay("show runs --store s.sqlite --format csv").text, Not(HasSubstr("cut off")));
  const std::string cases = assay("show cases --store s.sqlite").text;
  EXPECT_THAT(cases, HasSubstr("fabric.flows.workload")) << "of the last run";
}

TEST_F(FabricJournalCommand, SimulatedAndMeasuredAreNotJudgedTogether) {
  fabric("simulate", "ring-128.toml");
  results::JournalWriter measured(folder_.path() / "j.jsonl");
  measured.write(sample_context());
  measured.write(sample_point("run-1", 0));
  measured.write(sample_end());
  assay("import j.jsonl --store s.sqlite");
  const Said accepted = assay("accept --store s.sqlite");
  EXPECT_NE(accepted.exit_code, 0);
  EXPECT_THAT(accepted.text, HasSubstr("measured and points that are simulated in one fleet"));
}

TEST_F(FabricJournalCommand, AJournalThatCannotBeWrittenIsOneLineBeforeAnythingIsSimulated) {
  const Said said = assay("fabric simulate " + examples + "zone-128.toml " + examples +
                          "ring-128.toml --journal none/j.jsonl");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text, "assay: none/j.jsonl: cannot be written: expected a folder none\n");
}

}  // namespace
}  // namespace assay::cli
