// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bundles signed and verified by the ssh-keygen of this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/core/process/program_on_path.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/tests/sample_records.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using tests::Said;

class SignedBundle : public testing::Test {
 protected:
  void SetUp() override {
    const char* const path = std::getenv("PATH");
    if (core::program_on_path("ssh-keygen", path == nullptr ? "" : path).empty())
      GTEST_SKIP() << "ssh-keygen is not installed";
    results::test::put_small_fleet(folder_ / "store.db", 1.05);
    make_key("key", "");
    make_key("other", "");
    allow("signers", "ops@site", "key");
  }
  Said shell(const std::string& command) const {
    const auto done =
        suite::run_and_read({"/bin/sh", "-c", "cd " + folder_.path().string() + " && " + command + " 2>&1"});
    return {done.ending.exit_code, done.text};
  }
  void make_key(const std::string& name, const std::string& passphrase) const {
    const Said made = shell("ssh-keygen -q -t ed25519 -C '' -N '" + passphrase + "' -f " + name);
    ASSERT_EQ(made.exit_code, 0) << made.text;
  }
  void allow(const std::string& file, const std::string& line, const std::string& key) const {
    results::test::write_text(folder_ / file, line + " " + tests::text_of(folder_ / (key + ".pub")));
  }
  Said assay(const std::string& arguments) const {
    return tests::assay_in(folder_.path().string(), arguments);
  }
  Said sign(const std::string& key = "key") const {
    return assay("bundle -o a.bundle --store store.db --sign " + key);
  }
  /// One line, and exit code 2.
  static void expect_refused(const Said& said, const std::string& start, const std::string& more) {
    EXPECT_EQ(said.exit_code, 2) << said.text;
    EXPECT_THAT(said.text, AllOf(StartsWith("assay: " + start), HasSubstr(more), EndsWith("\n")));
    EXPECT_EQ(said.text.find('\n'), said.text.size() - 1) << said.text;
  }

  results::test::TemporaryFolder folder_;
};

TEST_F(SignedBundle, NamesItsSignerAndIsJudgedAsWithoutSignature) {
  const Said made = sign();
  EXPECT_EQ(made.exit_code, 1) << made.text;
  EXPECT_THAT(made.text, EndsWith("\nsigned   a.bundle.sig\n"));
  const Said said = assay("replay a.bundle --signers signers --verdicts v.json");
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_THAT(said.text, AllOf(HasSubstr("\nsigned by ops@site with ED25519 key SHA256:"),
                               testing::Not(HasSubstr("no seal was given"))));
  EXPECT_THAT(results::read_verdicts(folder_ / "v.json").notes,
              testing::Contains(StartsWith("signed by ops@site")));
  EXPECT_THAT(assay("replay a.bundle").text, HasSubstr("no seal was given"));
}

TEST_F(SignedBundle, IsTheSameToTheByteAsAnUnsignedOne) {
  sign();
  assay("bundle -o b.bundle --store store.db");
  EXPECT_EQ(tests::text_of(folder_ / "a.bundle"), tests::text_of(folder_ / "b.bundle"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.bundle.sig"));
}

TEST_F(SignedBundle, IsVerifiedByHandWithItsSeal) {
  const Said made = sign();
  const std::string seal = made.text.substr(made.text.rfind("seal     ") + 9, 64);
  const Said said = shell("echo " + seal +
                          " | ssh-keygen -Y verify -f signers -I ops@site -n assay-bundle -s a.bundle.sig");
  EXPECT_EQ(said.exit_code, 0) << said.text;
}

TEST_F(SignedBundle, WithoutSignatureIsRefused) {
  assay("bundle -o a.bundle --store store.db");
  expect_refused(assay("replay a.bundle --signers signers"), "a.bundle: not signed: expected a.bundle.sig",
                 "assay bundle --sign");
}

TEST_F(SignedBundle, OfAnotherSignerIsRefused) {
  sign("other");
  expect_refused(assay("replay a.bundle --signers signers"),
                 "a.bundle.sig: its key is of no signer that signers allows: ", "No principal matched");
}

TEST_F(SignedBundle, OfASignerForOtherPurposesIsRefused) {
  sign();
  allow("signers", "ops@site namespaces=\"git\"", "key");
  expect_refused(assay("replay a.bundle --signers signers"), "a.bundle.sig: not of this bundle's seal, ",
                 "not permitted");
}

TEST_F(SignedBundle, ThatWasAlteredOrMadeAnewIsRefused) {
  sign();
  assay("bundle -o b.bundle --store store.db --run round1-h0");
  std::filesystem::copy_file(folder_ / "a.bundle.sig", folder_ / "b.bundle.sig");
  expect_refused(assay("replay b.bundle --signers signers"), "b.bundle.sig: not of this bundle's seal, ",
                 "incorrect signature");
  std::string bytes = results::test::read_text(folder_ / "a.bundle");
  bytes[bytes.find("memory.host.copy")] = 'M';
  results::test::write_text(folder_ / "a.bundle", bytes);
  expect_refused(assay("replay a.bundle --signers signers"), "a.bundle: records.jsonl was altered", "");
}

TEST_F(SignedBundle, WithASignatureThatIsNoneIsRefused) {
  assay("bundle -o a.bundle --store store.db");
  results::test::write_text(folder_ / "a.bundle.sig", "signed: me\n");
  expect_refused(assay("replay a.bundle --signers signers"), "a.bundle.sig: ", "Couldn't parse signature");
  expect_refused(assay("replay a.bundle --signers none"), "--signers none: not there", "allowed signers");
}

TEST_F(SignedBundle, IsNotWrittenWhereTheKeyCannotSign) {
  make_key("locked", "a passphrase");
  for (const char* key : {"locked", "none"}) {
    expect_refused(sign(key), std::string("--sign ") + key + ": not signed: ", key);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.bundle"));
  }
}

TEST_F(SignedBundle, WithoutSshKeygenIsRefusedByBothCommands) {
  sign();
  const std::string program = std::string("PATH=/nowhere ") + ASSAY_BIN_DIR + "/assay ";
  expect_refused(shell(program + "bundle -o b.bundle --store store.db --sign key"),
                 "--sign: expected ssh-keygen", "PATH");
  expect_refused(shell(program + "replay a.bundle --signers signers"), "--signers: expected ssh-keygen",
                 "PATH");
}

}  // namespace
}  // namespace assay::cli
