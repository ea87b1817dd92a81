// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric check and counters: exit codes, and what they name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using tests::Said;

/// Four racks of two servers with a port each, two spines; the site calls all otherwise.
class FabricCheck : public testing::Test {
 protected:
  FabricCheck() : folder_(fs::path(testing::TempDir()) / ("fabric_check_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    write("plan.toml",
          "preset = \"ai-zone\"\nleaves = 4\ngpus_per_leaf = 2\nspines = 2\n"
          "host = { gpus = 1 }\n[link]\ngbit_per_s = 400\n");
  }
  ~FabricCheck() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  /// Neighbours by LLDP. `swapped`: the cables of rack-a and rack-c to core-y lead to the rack of the other's
  /// server.
  void write_site(const std::string& spare = "", double of_last = 400, const std::string& more = "") const {
    std::string text = "system,port,neighbour,neighbour_port,gbit_per_s\n";
    int number = 0;
    for (const std::string rack : {"rack-c", "rack-a", "rack-d", "rack-b"}) {
      for (const char* port : {"e1", "e2"})
        text += rack + "," + port + ",srv" + std::to_string(++number) + ",eth0,400\n";
      text += rack + ",u1,core-x," + rack + ",400\n";
      if (spare.empty() || rack != "rack-a")
        text += rack + ",u2,core-y," + rack + "," + std::to_string(rack == "rack-b" ? of_last : 400) + "\n";
      else
        text += rack + ",u2," + spare + "," + rack + "2,400\n";
    }
    write("site.csv", text + more);
  }
  Said check(const std::string& flags = "") const {
    return tests::assay_in(folder_.string(), "fabric check plan.toml lldp=site.csv " + flags);
  }

  fs::path folder_;
};

TEST_F(FabricCheck, PassesWhereNamesAloneDiffer) {
  write_site();
  const Said said = check();
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, StartsWith("PASS: every cable is as planned"));
}

TEST_F(FabricCheck, NamesTheCableInTheWrongSpineAndTheMoveThatRepairsIt) {
  write_site("core-x");
  const Said said = check("--json");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  const json answer = core::json_from<json>(said.text);
  EXPECT_EQ(answer.at("missing").size(), 1U);
  EXPECT_EQ(answer.at("extra").size(), 1U);
  ASSERT_EQ(answer.at("moves").size(), 1U);
  EXPECT_EQ(answer.at("moves")[0].at("ends"), 1);
  EXPECT_THAT(std::string(answer.at("moves")[0].at("text")),
              testing::AllOf(HasSubstr("rack-a port u2"), HasSubstr("from core-x port rack-a2 to core-y")));
}

TEST_F(FabricCheck, NamesASlowerCable) {
  write_site("", 100);
  const Said said = check();
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("rack-b port u2 to core-y port rack-b: 0.25 of the planned rate"));
}

TEST_F(FabricCheck, ComparesRatesWhateverNamesARemarkHas) {
  write_site("", 100, "rack-b,40Gbit/s,rack-b,40Gbit/s,400\n");
  const Said said = check();
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("'rack-b' port 40Gbit/s hears itself"));
  EXPECT_THAT(said.text, HasSubstr("0.25 of the planned rate"));
}

TEST_F(FabricCheck, RefusesAPlanThatIsNone) {
  write_site();
  write("plan.toml", "preset = \"none\"\n");
  EXPECT_EQ(check().exit_code, 2);
}

class FabricCounters : public FabricCheck {
 protected:
  FabricCounters() {
    write("net.list",
          "Switch\t8 \"S-0000000000000020\"\t# \"leaf\" base port 0 lid 1 lmc 0\n"
          "[1]\t\"H-0000000000000010\"[1](11) \t\t# \"a mlx5_0\" lid 2 4xNDR\n"
          "[2]\t\"H-0000000000000012\"[1](13) \t\t# \"b mlx5_0\" lid 3 4xNDR\n\n"
          "Ca\t1 \"H-0000000000000010\"\t\t# \"a mlx5_0\"\n"
          "[1](11) \t\"S-0000000000000020\"[1]\t\t# lid 2 lmc 0 \"leaf\" lid 1 4xNDR\n\n"
          "Ca\t1 \"H-0000000000000012\"\t\t# \"b mlx5_0\"\n"
          "[1](13) \t\"S-0000000000000020\"[2]\t\t# lid 3 lmc 0 \"leaf\" lid 1 4xNDR\n");
    write("before.csv", csv(0));
  }
  static std::string csv(int errors) {
    return "START_PM_INFO\nNodeGUID,PortNumber,SymbolErrorCounter,LinkDownedCounter\n0x10,1,0,0\n0x12,1,0,"
           "0\n0x20,1,0,0\n"
           "0x20,2," +
           std::to_string(errors) + ",0\nEND_PM_INFO\n";
  }
  Said counters(const std::string& flags) const {
    return tests::assay_in(folder_.string(),
                           "fabric counters --topology ibnetdiscover=net.list --before before.csv " + flags);
  }
};

TEST_F(FabricCounters, PassOnceTheDoseShowsTheRate) {
  write("after.csv", csv(0));
  EXPECT_EQ(counters("--after after.csv --seconds 3600").exit_code, 0);
  EXPECT_EQ(counters("--after after.csv --seconds 1").exit_code, 3);
  EXPECT_EQ(counters("--after after.csv --seconds 0").exit_code, 2);
  EXPECT_THAT(counters("--after after.csv --seconds 3600 --json").text, HasSubstr("\"verdict\": \"PASS\""));
  EXPECT_THAT(counters("--after after.csv --seconds 1 --json").text,
              HasSubstr("\"verdict\": \"INCONCLUSIVE\""));
}

TEST_F(FabricCounters, NameTheCableAndWhetherLocateNamesItToo) {
  write("after.csv", csv(40000));
  write("located.json", R"({"suspects": [{"element": "b-leaf"}]})");
  const Said said = counters("--after after.csv --seconds 3600 --located located.json");
  EXPECT_EQ(said.exit_code, 1) << said.text;
  EXPECT_THAT(said.text, HasSubstr("faulty: b"));
  EXPECT_THAT(said.text, HasSubstr("40000 symbol errors (4e+04 an hour"));
  EXPECT_THAT(said.text, HasSubstr("assay fabric locate names it, too"));
  EXPECT_THAT(counters("--after after.csv --seconds 3600").text, Not(HasSubstr("locate")));
}

}  // namespace
}  // namespace assay::cli
