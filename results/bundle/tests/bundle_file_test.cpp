// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The file of a bundle: what is put in comes out, and nothing that was altered is taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "results/bundle/evidence.hpp"
#include "results/bundle/stored_lines.hpp"
#include "results/bundle/tar.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::TemporaryFolder;
using test::write_text;
using testing::HasSubstr;

BundledEvidence small_evidence() {
  BundledEvidence evidence;
  evidence.assay_version = "0.1.0";
  evidence.source_revision = "abc1234";
  evidence.order.comparisons = {{{"run-1"}, {"run-2", "run-3"}, 0.05, "memory.*"}};
  evidence.order.rules.margin = 0.02;
  evidence.records = to_line(test::sample_context()) + "\n" + to_line(test::sample_point()) + "\n";
  evidence.files["limits"] = {{"limits/h100.toml", "[machine]\n"}};
  evidence.files["places"] = {{"places/places.csv", "host,rack\nnode-a,1\n"}};
  evidence.files["checks"] = {{"checks/node-a.json", "{}"}};
  evidence.files["logbooks"] = {{"logbooks/health.json", ""}};
  evidence.verdicts = "{}\n";
  evidence.text = "PASS\n";
  return evidence;
}

struct PackedBundle {
  std::string bytes, seal;
};

PackedBundle packed_bytes(const BundledEvidence& evidence) {
  PackedBundle packed;
  packed.seal = pack(evidence, [&](std::string_view piece) { packed.bytes += piece; });
  return packed;
}

Bundle unpacked(const BundledEvidence& evidence) {
  const std::string bytes = packed_bytes(evidence).bytes;
  return unpack(core::source_of(bytes), "a.bundle");
}

std::string tar_of(const std::vector<Member>& members) {
  std::string bytes;
  write_tar(members, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::string error_of(std::string_view bytes) {
  try {
    unpack(core::source_of(bytes), "a.bundle");
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(BundleFile, WhatIsPutInComesOut) {
  const BundledEvidence evidence = small_evidence();
  const PackedBundle packed = packed_bytes(evidence);
  const TemporaryFolder folder;
  write_text(folder / "a.bundle", packed.bytes);
  const Bundle read = read_bundle(folder / "a.bundle");
  EXPECT_EQ(read.seal, packed.seal);
  EXPECT_EQ(read.evidence.records.text(), evidence.records.text());
  EXPECT_EQ(read.evidence.source_revision, "abc1234");
  EXPECT_EQ(read.evidence.order.rules.margin, 0.02);
  EXPECT_EQ(read.evidence.order.comparisons.at(0).a, std::vector<std::string>{"run-1"});
  EXPECT_EQ(read.evidence.order.comparisons.at(0).b, (std::vector<std::string>{"run-2", "run-3"}));
  EXPECT_EQ(read.evidence.order.comparisons.at(0).filter, "memory.*");
  EXPECT_EQ(read.evidence.files.at("limits").at(0).content.text(), "[machine]\n");
  EXPECT_EQ(read.evidence.files.at("logbooks").at(0).name, "logbooks/health.json");
  EXPECT_EQ(packed_bytes(read.evidence).bytes, packed.bytes);
}

TEST(BundleFile, EveryByteThatIsAlteredIsRefused) {
  const std::string bytes = packed_bytes(small_evidence()).bytes;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ (1 << (at % 8)));
    ASSERT_NE(error_of(altered), "no error") << at;
  }
}

TEST(BundleFile, AFileThatIsCutOffOrHasMoreIsRefused) {
  const std::string bytes = packed_bytes(small_evidence()).bytes;
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) ASSERT_NE(error_of(bytes.substr(0, random() % bytes.size())), "no error");
  EXPECT_THAT(error_of(bytes.substr(0, bytes.size() - 1)), HasSubstr("altered"));
  EXPECT_NE(error_of(bytes + '\0'), "no error");
  EXPECT_NE(error_of(bytes + bytes), "no error");
}

TEST(BundleFile, NamesTheMemberThatWasAltered) {
  const std::string bytes = packed_bytes(small_evidence()).bytes;
  const auto altered = [&](const std::string& text) {
    std::string other = bytes;
    other[other.find(text)] ^= 1;
    return error_of(other);
  };
  EXPECT_EQ(altered("21.47483648"), "a.bundle: records.jsonl was altered after the bundle was made");
  EXPECT_EQ(altered("[machine]"), "a.bundle: limits/h100.toml was altered after the bundle was made");
  EXPECT_EQ(altered("abc1234"), "a.bundle: bundle.json was altered after the bundle was made");
  EXPECT_EQ(altered("PASS\n"), "a.bundle: verdicts.txt was altered after the bundle was made");
  EXPECT_EQ(altered("places/places.csv"), "a.bundle: member 6 (qlaces/places.csv): its header was altered");
}

TEST(BundleFile, NamesTheChainOrTheSumsWhereThoseWereAltered) {
  std::vector<Member> members{{"a", "one"}, {"b", "two"}};
  add_chain(members);
  const auto error_of_members = [](const std::vector<Member>& all) -> std::string {
    try {
      require_intact(all, "x");
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of_members(members), "no error");
  auto sums = members, chain = members, lost = members, added = members, swapped = members;
  for (Member* other : {&sums[2], &chain[3]}) {
    std::string content = other->content.text();
    content[3] ^= 1;
    other->content = content;
  }
  lost.erase(lost.begin());
  added.insert(added.begin(), {"c", "three"});
  std::swap(swapped[0], swapped[1]);
  EXPECT_EQ(error_of_members(sums), "x: SHA256SUMS was altered after the bundle was made");
  EXPECT_EQ(error_of_members(chain), "x: CHAIN was altered after the bundle was made");
  for (const auto& other : {lost, added, swapped}) EXPECT_NE(error_of_members(other), "no error");
}

TEST(BundleFile, ABundleMadeAnewHasAnotherSeal) {
  BundledEvidence evidence = small_evidence();
  const std::string seal = packed_bytes(evidence).seal;
  EXPECT_EQ(packed_bytes(evidence).seal, seal);
  evidence.text = "FAIL\n";
  EXPECT_NE(packed_bytes(evidence).seal, seal);
}

TEST(BundleFile, ThatIsNoneIsRefusedInOneLine) {
  EXPECT_EQ(error_of("hello"), "a.bundle: it is cut off in member 1");
  EXPECT_EQ(error_of(tar_of({})),
            "a.bundle: no bundle of assay: expected SHA256SUMS and CHAIN as its last members");
  std::vector<Member> members{{"birds.txt", "owl"}};
  add_chain(members);
  EXPECT_THAT(error_of(tar_of(members)),
              HasSubstr("no bundle that can be read: it does not begin with bundle.json"));
  EXPECT_THROW(read_bundle("/nowhere/a.bundle"), std::runtime_error);
}

TEST(BundleFile, AnotherVersionIsRefused) {
  for (const auto& [version, expected] :
       {std::pair(1,
                  "version 1, and this program reads 2: replay it with the program that made it, assay 0.9"),
        std::pair(3, "version 3, and this program reads 2")}) {
    std::vector<Member> members{
        {"bundle.json",
         R"({"schema":"assay-bundle","assay_version":"0.9","version":)" + std::to_string(version) + "}"}};
    add_chain(members);
    EXPECT_THAT(error_of(tar_of(members)), HasSubstr(expected));
  }
}

TEST(BundleFile, AMemberThatLeadsElsewhereIsRefused) {
  for (const char* name : {"limits/../../x", "/etc/x", "", "a b"})
    EXPECT_THROW(tar_of({{name, ""}}), std::invalid_argument) << name;
}

TEST(BundleFile, NamesOfFilesBecomeNamesOfMembers) {
  const TemporaryFolder folder;
  write_text(folder / "my limits (1).toml", "x");
  const Member member = member_from("limits", folder / "my limits (1).toml");
  EXPECT_EQ(member.name, "limits/my_limits__1_.toml");
  EXPECT_EQ(member.content.text(), "x");
  EXPECT_THROW(member_from("limits", folder / "none.toml"), std::runtime_error);
}

TEST(BundleFile, AFilesNameWithTwoDotsInARowIsPacked) {
  const TemporaryFolder folder;
  write_text(folder / "h100...v2..toml", "x");
  BundledEvidence evidence = small_evidence();
  evidence.files["limits"] = {member_from("limits", folder / "h100...v2..toml")};
  EXPECT_EQ(evidence.files["limits"][0].name, "limits/h100._.v2._toml");
  EXPECT_EQ(unpacked(evidence).evidence.files.at("limits")[0].content.text(), "x");
}

TEST(BundleFile, AMemberThatIsTooLargeForATarIsRefusedInOneLine) {
  constexpr std::size_t most = 8ULL << 30;
  EXPECT_EQ(tar_header("records.jsonl", most - 1).substr(124, 11), "77777777777");
  try {
    tar_header("records.jsonl", most);
    FAIL() << "written";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "records.jsonl has 8589934592 bytes, and a member of a bundle holds less than 8 GiB: bundle "
                 "fewer runs (--run)");
  }
}

TEST(BundleFile, TwoFilesOfOneNameAreRefused) {
  BundledEvidence evidence = small_evidence();
  evidence.files["limits"].push_back(evidence.files["limits"].front());
  EXPECT_THROW(packed_bytes(evidence), std::runtime_error);
}

TEST(BundleFile, AMemberThatStandsTwiceIsRefusedWhoeverMadeTheChain) {
  const std::string bytes = packed_bytes(small_evidence()).bytes;
  std::vector<Member> members = from_tar(core::source_of(bytes), "a");
  members.resize(members.size() - 2);
  members.insert(members.begin() + 2, {"records.jsonl", "other records\n"});
  add_chain(members);
  EXPECT_THAT(error_of(tar_of(members)), HasSubstr("two files of one name: records.jsonl"));
}

TEST(BundleFile, RunsOfAStoreAreTheLinesTheyWereReadFrom) {
  const TemporaryFolder folder;
  std::string journal;
  for (const Record& record : test::fixed_run("run-1")) journal += to_line(record) + "\n";
  auto with_cycles = test::sample_point("run-2");
  with_cycles.sm_cycles = {1e6, 2e6};
  const std::string second = to_line(test::sample_context("run-2")) + "\n" + to_line(with_cycles) + "\n" +
                             to_line(test::unsupported_point("run-2", 1)) + "\n" +
                             to_line(test::sample_end("run-2")) + "\n";
  write_text(folder / "a.jsonl", journal);
  write_text(folder / "b.jsonl", second);
  Store store(folder / "store.db");
  store.import_journal(folder / "a.jsonl");
  store.import_journal(folder / "b.jsonl");
  const std::vector<std::string> first{"run-1"}, other{"run-2", "run-2"};
  EXPECT_EQ(lines_of_runs(store, first).text(), journal);
  EXPECT_EQ(lines_of_runs(store, other).text(), second);
  EXPECT_EQ(lines_of_runs(store, {}).size(), journal.size() + second.size());
  const std::vector<std::string> none{"run-9"};
  EXPECT_THROW(lines_of_runs(store, none), std::runtime_error);
}

}  // namespace
}  // namespace assay::results
