// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/file/fabric_file.hpp"

namespace assay::model::fabric {
namespace {

using testing::HasSubstr;

class ForwardingFiles : public testing::Test {
 protected:
  ForwardingFiles()
      : folder_(std::filesystem::path(testing::TempDir()) /
                ("forwarding_files_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "net.lfts")
        << "Unicast lids [0-5] of switch Lid 9 guid 0xa ('l0'):\n0x0001 001\n0x0002 7\n"
           "Unicast lids [0-5] of switch Lid 8 guid 0xb ('l1'):\n0x0001 6\n0x0002 1\n"
           "Unicast lids [0-5] of switch Lid 7 guid 0xc ('s0'):\n0x0001 2\n0x0002 3\n";
  }
  ~ForwardingFiles() override { std::filesystem::remove_all(folder_); }

  std::string toml() const {
    return "preset = \"links\"\nrouting = { kind = \"tables\", file = \"net.lfts\" }\n"
           "links = [\"host0>leaf0:1\", \"host1>leaf1:1\", \"leaf0:7>spine0:2\", \"spine0:3>leaf1:6\"]\n"
           "[subnet]\nlids = \"1,2\"\nswitches = [\"leaf0=a\", \"leaf1=b\", \"spine0=c\"]\n";
  }
  FabricFile read(const std::string& text) const {
    return parse_fabric(text, (folder_ / "site.toml").string());
  }
  void expect_refused(const std::string& old_text, const std::string& new_text,
                      const std::string& why) const {
    std::string text = toml();
    text.replace(text.find(old_text), old_text.size(), new_text);
    try {
      read(text);
      ADD_FAILURE() << "accepted, expected: " << why;
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(why));
    }
  }

  std::filesystem::path folder_;
};

TEST_F(ForwardingFiles, AreOfTheCablesThatTheFileLists) {
  const FabricFile file = read(toml());
  const Topology topology = topology_of(file);
  const Router router(topology, file.routing);
  std::vector<std::string> names;
  for (const LinkId link : router.path_of(0, 1, {})) names.push_back(topology.name_of_link(link));
  EXPECT_THAT(names, testing::ElementsAre("host0>leaf0", "leaf0>spine0", "spine0>leaf1", "leaf1>host1"));
}

TEST_F(ForwardingFiles, AreIgnoredByOtherRouting) {
  std::string text = toml();
  text.replace(text.find("tables"), 6, "ecmp");
  EXPECT_EQ(read(text).routing.tables, nullptr);
}

TEST_F(ForwardingFiles, OneLineSaysWhatIsWrong) {
  expect_refused("net.lfts", "no.lfts", "no.lfts");
  expect_refused(", file = \"net.lfts\"", "", "routing.file");
  expect_refused("spine0:2", "spine0", "'leaf0>spine0' states no port");
  expect_refused("spine0:2", "spine0:3", "spine0 port 3 has a cable already");
  expect_refused("spine0:2", "spine0:x", "expected a port from 1 to 254");
  expect_refused("spine0:2", "spine0:255", "expected a port from 1 to 254");
  expect_refused("\"1,2\"", "\"1\"", "1 for 2 hosts");
  expect_refused("\"1,2\"", "\"1,0\"", "expected a LID from 1");
  expect_refused("\"1,2\"", "\"1,4/8\"", "expected a LID from 1");
  expect_refused("\"leaf1=b\", ", "", "expected the GUID of leaf1");
  expect_refused("leaf1=b", "leaf1", "expected a name and a GUID");
  expect_refused("[subnet]\n", "[other]\n", "other");
}

}  // namespace
}  // namespace assay::model::fabric
