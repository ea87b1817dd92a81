// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/team_key.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "harness/core/tests/message_of.hpp"
#include "harness/team/join/member_connections.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;
using testing::HasSubstr;

Environment variables_from(const std::map<std::string, std::string>& variables) {
  return [variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

class KeyFile {
 public:
  explicit KeyFile(const std::string& key_text, mode_t mode = 0600) {
    path_ = (std::filesystem::temp_directory_path() / "assay_key_XXXXXX").string();
    const int file = mkstemp(path_.data());
    if (file >= 0) close(file);
    std::ofstream(path_) << key_text;
    chmod(path_.c_str(), mode);
  }
  ~KeyFile() { std::filesystem::remove(path_); }
  KeyFile(const KeyFile&) = delete;
  KeyFile& operator=(const KeyFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const std::string key_text = "0123456789abcdef";

TEST(TeamKey, IsInAFileOfThisUserAlone) {
  EXPECT_EQ(key_in_file(KeyFile(key_text + "\n").path()), key_text);
  EXPECT_EQ(key_in_file(KeyFile(key_text, 0400).path()), key_text);
  EXPECT_EQ(key_in_file(KeyFile(std::string(most_key_bytes, 'k')).path()).size(), most_key_bytes);
}

TEST(TeamKey, InAFileThatOthersCanTouchIsRefused) {
  for (const mode_t mode : {0640, 0604, 0620, 0602, 0610, 0601, 0666, 0644}) {
    const KeyFile file(key_text, mode);
    EXPECT_THAT(message_of([&] { key_in_file(file.path()); }), HasSubstr("lets others at it (expected 0600"));
  }
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const KeyFile given(key_text);
  ASSERT_EQ(chown(given.path().c_str(), 12345, 0), 0);
  EXPECT_THAT(message_of([&] { key_in_file(given.path()); }), HasSubstr("belongs to user 12345"));
}

TEST(TeamKey, BehindASymbolicLinkIsRefused) {
  const KeyFile file(key_text);
  const std::string link = file.path() + ".link";
  std::filesystem::create_symlink(file.path(), link);
  EXPECT_THAT(message_of([&] { key_in_file(link); }),
              HasSubstr("a symbolic link (expected the file itself)"));
  std::filesystem::remove(link);
}

TEST(TeamKey, OfAnotherLengthOrNoFileIsOneLine) {
  EXPECT_THAT(message_of([&] { key_in_file(KeyFile("short\n").path()); }),
              HasSubstr("a key of 5 bytes (expected 16 to 4096"));
  EXPECT_THAT(message_of([&] { key_in_file(KeyFile("").path()); }), HasSubstr("a key of 0 bytes"));
  EXPECT_THAT(message_of([&] { key_in_file(KeyFile(std::string(most_key_bytes + 1, 'k')).path()); }),
              HasSubstr("a key of too many bytes"));
  EXPECT_THAT(message_of([] { key_in_file("/nowhere/key"); }),
              HasSubstr("--key-file /nowhere/key: No such file"));
  EXPECT_THAT(message_of([] { key_in_file("/dev/null"); }), HasSubstr("not a regular file"));
}

TEST(TeamKey, ComesFromTheFileFirstThenFromTheEnvironment) {
  const KeyFile file(key_text);
  const std::string handed_on(20, 'e');
  const auto both = variables_from({{"ASSAY_TEAM_KEY", handed_on}, {"ASSAY_TEAM_KEY_FILE", file.path()}});
  EXPECT_EQ(team_key({}, both, MayMunge::no).secret, key_text);
  EXPECT_EQ(
      team_key({.file = file.path()}, variables_from({{"ASSAY_TEAM_KEY", handed_on}}), MayMunge::no).source,
      KeySource::file);
  const TeamKey key =
      team_key({.open = true}, variables_from({{"ASSAY_TEAM_KEY", handed_on}}), MayMunge::yes);
  EXPECT_EQ(key.source, KeySource::environment) << "who has a key uses it, --open or not";
  EXPECT_EQ(key.secret, handed_on);
  EXPECT_THAT(message_of([] { team_key({}, variables_from({{"ASSAY_TEAM_KEY", "short"}}), MayMunge::no); }),
              HasSubstr("environment variable ASSAY_TEAM_KEY: a key of 5 bytes"));
}

TEST(TeamKey, IsOpenOnlyWhereTheUserSaysSo) {
  EXPECT_EQ(team_key({}, variables_from({}), MayMunge::yes).source, KeySource::none);
  EXPECT_EQ(team_key({.open = true}, variables_from({}), MayMunge::yes).source, KeySource::open);
  EXPECT_EQ(team_key({}, variables_from({{"ASSAY_TEAM_OPEN", "1"}}), MayMunge::no).source, KeySource::open);
  EXPECT_EQ(team_key({}, variables_from({{"ASSAY_TEAM_OPEN", "0"}}), MayMunge::no).source, KeySource::none);
}

TEST(TeamKey, WithoutOneOnlyLoopbackIsSpokenTo) {
  const auto addresses = [](const std::string& host) { return resolve({host, 1}); };
  for (const char* near : {"127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback(addresses(near).front())) << near;
  for (const char* far : {"10.0.0.1", "128.0.0.1", "::2", "::ffff:10.0.0.1", "0.0.0.0", "::"})
    EXPECT_FALSE(is_loopback(addresses(far).front())) << far;
  EXPECT_THAT(
      message_of([&] { refuse_strange_addresses({}, addresses("10.0.0.1"), "10.0.0.1"); }),
      HasSubstr(
          "10.0.0.1 is not a loopback address, and there is no key: give all members the same --key-file "
          "FILE"));
  EXPECT_NO_THROW(refuse_strange_addresses({}, addresses("127.0.0.2"), "here"));
  EXPECT_NO_THROW(refuse_strange_addresses({.source = KeySource::open}, addresses("10.0.0.1"), "there"));
}

TEST(TeamKey, FlagsAreFoundAmongTheArgumentsOfARank) {
  EXPECT_EQ(key_flags_among({"--key-file", "k", "--count"}).file, "k");
  EXPECT_EQ(key_flags_among({"--key-file=k"}).file, "k");
  EXPECT_FALSE(key_flags_among({"--key-file"}).open);
  EXPECT_TRUE(key_flags_among({"--open"}).open);
}

TEST(MemberConnections, HaveKeysThatDependOnSecretPurposeAndSalt) {
  const auto secret = [](const std::string& of_team, const std::string& purpose, const std::string& salt) {
    return key_among_members({.secret = of_team}, purpose, salt).secret;
  };
  EXPECT_EQ(secret("a", "data", "s"), secret("a", "data", "s"));
  EXPECT_NE(secret("a", "data", "s"), secret("b", "data", "s"));
  EXPECT_NE(secret("a", "data", "s"), secret("a", "watch", "s"));
  EXPECT_NE(secret("a", "data", "s"), secret("a", "data", "t"));
}

}  // namespace
}  // namespace assay::team
