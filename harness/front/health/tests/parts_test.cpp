// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A baseline of a good node, and what a check says of another one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/front/health/baseline.hpp"
#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/tests/healthy_trees.hpp"

namespace assay::health {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Parts : public testing::Test {
 protected:
  Parts() : gpus_(build_healthy("hgx_ib", node_)) { node_.write("/proc/sys/kernel/hostname", "node-1\n"); }

  Snapshot read() {
    node_.write("/gpus.json", gpus_.dump());
    return read_snapshot(node_.root(), read_gpu_table(node_.root() + "/gpus.json"));
  }
  /// Takes what the node now has for the site's expectation.
  std::string write_baseline() {
    const std::string text = baseline_of(read(), "2026-12-02T09:00:00Z");
    expect(text);
    return text;
  }
  void expect(const std::string& text) {
    node_.write("/expect.toml", text);
    expected_ = read_expectation(node_.root() + "/expect.toml");
  }
  /// What host.parts finds, without what passed; the other checks pass or have tests of their own.
  std::vector<std::string> differences() {
    const Snapshot now = read();
    std::vector<std::string> said;
    for (const Finding& finding : judge({now, now, expected_}))
      if (finding.check == "host.parts" && finding.status >= Status::noticed)
        said.push_back(std::string(to_string(finding.status)) + " " + finding.unit + ": " + finding.evidence);
    return said;
  }
  void change(const std::string& from, const std::string& to) {
    std::ifstream file(node_.root() + "/answers/dmidecode");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    ASSERT_NE(text.find(from), std::string::npos);
    node_.write("/answers/dmidecode", text.replace(text.find(from), from.size(), to));
  }

  machine::FakeNode node_;
  nlohmann::json gpus_;
  Expectation expected_;
};

TEST_F(Parts, OfAGoodNodeAreItsBaseline) {
  const std::string text = write_baseline();
  EXPECT_THAT(text, HasSubstr("source = 'node-1 at 2026-12-02T09:00:00Z'"));
  EXPECT_THAT(text,
              HasSubstr("# Not reported here, and not judged: bios_date, bmc_firmware, numa_per_socket"));
  EXPECT_EQ(expected_.gpus, 8);
  EXPECT_EQ(expected_.nvlinks, 18);
  EXPECT_EQ(expected_.adapters, 8);
  EXPECT_EQ(expected_.nvme_drives, 1);
  EXPECT_EQ(expected_.parts.size(), 3U + 2 + 1 + 8 + 8 + 1)
      << "BIOS, microcode, modules, power supply, GPUs, adapters, drive";
  EXPECT_THAT(differences(), IsEmpty());
}

TEST_F(Parts, ThatDifferAreNamedWithWhatIsWantedAndFound) {
  write_baseline();
  change("Version: 2.4a", "Version: 2.3");
  change("Locator: B1", "Locator: B2");
  node_.write("/sys/class/nvme/nvme0/firmware_rev", "GDC5602Q\n");
  gpus_["gpus"][3]["vbios"] = "96.00.30.00.01";
  const std::string wanted = " expected (node-1 at 2026-12-02T09:00:00Z)";
  EXPECT_THAT(
      differences(),
      ElementsAre("failed bios_version: '2.3', '2.4a'" + wanted,
                  "failed dimm B1: none, '64 GiB DDR5 4800 MT/s'" + wanted,
                  "failed dimm B2: '64 GiB DDR5 4800 MT/s', none" + wanted,
                  "failed gpu 3: 'NVIDIA H100 80GB HBM3 VBIOS 96.00.30.00.01', 'NVIDIA H100 80GB HBM3 VBIOS "
                  "96.00.99.00.01'" +
                      wanted,
                  "failed nvme nvme0: 'made up firmware GDC5602Q', 'made up'" + wanted));
}

TEST_F(Parts, ThatCannotBeReadAreUnknownAndNeverPass) {
  write_baseline();
  node_.remove("/answers/dmidecode");
  EXPECT_THAT(
      differences(),
      ElementsAre(HasSubstr("unknown bios_vendor: 'Example' expected"), HasSubstr("unknown bios_version"),
                  HasSubstr("unknown dimm: 2 expected"), HasSubstr("unknown power_supply: 1 expected")));
}

TEST_F(Parts, ThatNobodyAskedForAreNotJudged) {
  expect("source = 'us'\n[parts]\nbios_version = '2.4a'\n");
  EXPECT_THAT(differences(), IsEmpty());
  expect("source = 'us'\n");
  const Snapshot now = read();
  const auto findings = judge({now, now, expected_});
  const auto found = std::ranges::find(findings, "host.parts", &Finding::check);
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->status, Status::absent);
}

TEST_F(Parts, OfOneNodeOfAnInventoryReplaceThoseOfAll) {
  node_.write("/expect.toml",
              "source = 'us'\nparts.bios_version = '2.4a'\nparts.microcode = '1'\n"
              "[[nodes]]\nnames = ['new-*']\nparts.bios_version = '2.5'\n");
  const Expectation of_new = read_expectation(node_.root() + "/expect.toml", "new-1");
  ASSERT_EQ(of_new.parts.size(), 2U);
  EXPECT_EQ(of_new.parts[0].value, "2.5");
  EXPECT_EQ(of_new.parts[1].value, "1");
}

TEST_F(Parts, OfAnUnknownKindAreRefusedByLineAndKey) {
  const auto said = [&](const std::string& lines) -> std::string {
    try {
      expect("source = 'us'\n[parts]\n" + lines);
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      return error.what();
    }
    return "nothing";
  };
  EXPECT_THAT(said("bios_versoin = '2'\n"), HasSubstr("expect.toml:3: parts.bios_versoin"));
  EXPECT_THAT(said("bios_version = 2\n"), HasSubstr("expect.toml:3: parts.bios_version: expected text"));
  EXPECT_THAT(said("dimm = '16'\n"), HasSubstr("expect.toml:3: parts.dimm: expected"));
}

}  // namespace
}  // namespace assay::health
