// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "harness/front/health/describe.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/tests/planted_fault.hpp"

namespace assay::health {
namespace {

std::vector<PlantedFault> every_fault() {
  std::vector<PlantedFault> all;
  for (const char* file : {"gpu", "fabric", "links", "host", "platform"}) {
    auto faults =
        planted_faults(fmt::format("{}/harness/front/health/tests/faults/{}.toml", ASSAY_SOURCE_DIR, file));
    std::move(faults.begin(), faults.end(), std::back_inserter(all));
  }
  return all;
}

std::string test_name(const testing::TestParamInfo<PlantedFault>& info) {
  std::string name;
  for (const char letter : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
  return fmt::format("{:03}_{}", info.index, name);
}

struct Expected {
  std::string check, unit, status, action;
};

std::vector<Expected> expected_of(const toml::table& row) {
  std::vector<Expected> all;
  for (const toml::node& node : *row["found"].as_array()) {
    const toml::array& found = *node.as_array();
    all.push_back({*found[0].value<std::string>(), *found[1].value<std::string>(),
                   *found[2].value<std::string>(), *found[3].value<std::string>()});
  }
  return all;
}

bool fits(const Finding& finding, const Expected& expected) {
  const std::string action = finding.action == Action::none ? "" : std::string(to_string(finding.action));
  return finding.check == expected.check && finding.unit.starts_with(expected.unit) &&
         (!expected.unit.empty() || finding.unit.empty()) && to_string(finding.status) == expected.status &&
         action == expected.action;
}

class PlantedFaults : public testing::TestWithParam<PlantedFault> {};

TEST_P(PlantedFaults, IsFoundWithItsActionAndNothingElseIs) {
  const toml::table& row = GetParam().row;
  Patient patient(row["tree"].value_or(std::string("hgx_ib")));
  patient.expect(row["expect"].value_or(std::string()));
  patient.plant(row);
  const auto* later = row["later"].as_table();
  const auto findings = patient.check(later != nullptr ? *later : toml::table{});
  const auto expected = expected_of(row);
  for (const Expected& one : expected) {
    if (one.status.empty()) continue;
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(),
                            [&](const Finding& finding) { return fits(finding, one); }))
        << one.check << " of '" << one.unit << "' should be " << one.status << " " << one.action;
  }
  for (const Finding& finding : findings) {
    if (finding.status < Status::noticed) continue;
    EXPECT_TRUE(std::any_of(expected.begin(), expected.end(),
                            [&](const Expected& one) { return one.check == finding.check; }))
        << finding.check << " of '" << finding.unit << "' is " << to_string(finding.status) << ": "
        << finding.evidence;
    EXPECT_FALSE(finding.evidence.empty() || finding.meaning.empty());
  }
  EXPECT_EQ(verdict_word(findings), row["verdict"].value_or(std::string("FAIL"))) << summary(findings);
}

INSTANTIATE_TEST_SUITE_P(, PlantedFaults, testing::ValuesIn(every_fault()), test_name);

TEST(HealthyTrees, AreClean) {
  for (const char* tree : {"hgx_ib", "hgx_roce", "pcie", "host"}) {
    Patient patient(tree);
    const auto findings = patient.check();
    EXPECT_EQ(verdict_word(findings), "PASS") << tree << ": " << to_json(to_table(findings, false));
    EXPECT_EQ(verdict_word(patient.check()), "PASS") << tree << ", against the logbook of the first check";
  }
}

}  // namespace
}  // namespace assay::health
