// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every entry of a logbook in which a failure stands: missing, empty or of another type. It is refused, or
// the failure stands still.
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/tests/planted_fault.hpp"

namespace assay::health {
namespace {

using nlohmann::json;

void append_places(const json& node, const json::json_pointer& at, std::vector<json::json_pointer>& places) {
  if (!at.empty()) places.push_back(at);
  if (node.is_object())
    for (const auto& [key, value] : node.items()) append_places(value, at / key, places);
  // The first element of a list represents all.
  if (node.is_array() && !node.empty()) append_places(node.front(), at / 0, places);
}

/// One Xid stands; the machine is well again.
class StandingFailure : public testing::Test {
 protected:
  StandingFailure() {
    patient_.check();
    patient_.plant(toml::parse("log = ['NVRM: Xid (PCI:0000:43:00): 79, GPU has fallen off the bus.']"));
    patient_.check();
    written_ = core::json_from<json>(core::read_whole_file(patient_.logbook()));
  }
  void expect_no_pass(const json& logbook, const std::string& what) {
    std::ofstream(patient_.logbook()) << logbook;
    ++tried_;
    try {
      const std::string_view said = verdict_word(patient_.check());
      EXPECT_TRUE(said == "FAIL" || said == "INCONCLUSIVE") << what << " ends in " << said;
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage) << what;
    }
  }
  void TearDown() override {
    std::cout << "logbook: " << tried_ << " mutations\n";
    RecordProperty("mutations_of_logbook", tried_);
  }

  Patient patient_{"pcie"};
  json written_;
  int tried_ = 0;
};

TEST_F(StandingFailure, StandsInALogbookWithAnyEntryMissingOrOfAnotherType) {
  std::vector<json::json_pointer> places;
  append_places(written_, json::json_pointer(), places);
  ASSERT_GT(places.size(), 20U);
  for (const json::json_pointer& place : places) {
    json cut = written_;
    json& parent = cut[place.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(place.back());
      expect_no_pass(cut, place.to_string() + " missing");
    }
    for (const json& other : {json(nullptr), json::object(), json("x"), json(-1), json(1.5), json(true)}) {
      json changed = written_;
      changed[place] = other;
      expect_no_pass(changed, place.to_string() + " = " + other.dump());
    }
  }
}

TEST_F(StandingFailure, IsNotClearedWithoutAReasonNorTurnedIntoAPass) {
  json cleared = written_;
  cleared["latched"][0]["cleared"] = "2026-11-22T08:00:00.000Z";
  expect_no_pass(cleared, "cleared without a reason");
  for (const char* status : {"passed", "noticed", "absent", "waived", ""}) {
    json changed = written_;
    changed["latched"][0]["finding"]["status"] = status;
    expect_no_pass(changed, status);
  }
}

TEST(Latched, FailureIsNotReplacedByWhatIsLessGrave) {
  Patient patient("pcie");
  ASSERT_EQ(verdict_word(patient.check()), "PASS");
  patient.plant(toml::parse("log = ['NVRM: GPU 0000:43:00.0: GPU has fallen off the bus.']"));
  EXPECT_EQ(verdict_word(patient.check()), "FAIL");
  patient.plant(toml::parse("log = ['NVRM: GPU 0000:43:00.0: something failed']"));
  EXPECT_EQ(verdict_word(patient.check()), "FAIL");
  EXPECT_EQ(verdict_word(patient.check()), "FAIL");
}

}  // namespace
}  // namespace assay::health
