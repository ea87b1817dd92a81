// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The documentation is the help: docs/reference/cli.md is byte for byte what --help prints. And bad input
// ends with one line.
#include "harness/front/cli/front_end.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/front/cli/tests/help_page.hpp"
#include "harness/front/cli/tests/said.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;
using tests::Said;
using tests::text_of;

/// Runs `assay` in an empty folder with standard error joined to standard output.
Said assay(const std::string& arguments) { return tests::assay_in("\"$(mktemp -d)\"", arguments); }

/// Without the first line: the list of commands has it.
/// Options that others exclude or need come in the order of their addresses: here by name.
std::string in_order(std::string help) {
  for (const std::string list : {"Excludes: ", "Needs: "})
    for (std::size_t at = help.find(list); at != std::string::npos; at = help.find(list, at + 1)) {
      const std::size_t begin = at + list.size();
      std::size_t end = begin;
      std::vector<std::string> names;
      while (help[end] == '-') {  // what follows is the next list, or the description
        const std::size_t after = help.find_first_of(" \n", end);
        names.push_back(help.substr(end, after - end));
        end = after + (help[after] == ' ' ? 1 : 0);
      }
      if (names.empty()) continue;  // arguments, in their own order
      std::ranges::sort(names);
      const std::string blank = help[end - 1] == ' ' ? " " : "";
      help.replace(begin, end - begin, fmt::format("{}{}", fmt::join(names, " "), blank));
    }
  return help;
}

std::string below_its_description(const std::string& help) {
  return in_order(help.substr(help.find('\n') + 1));
}

/// The help of `assay` and of each subcommand, as docs/reference/cli.md holds it.
std::string documentation() {
  FrontEnd front;
  tests::HelpPage page;
  for (const Command& command : front.commands) {
    const std::string name = "assay " + command.app->get_name();
    page.add(name, below_its_description(command.app->help()));
    for (const CLI::App* part : command.app->get_subcommands([](const CLI::App*) { return true; }))
      page.add(name + " " + part->get_name(), below_its_description(part->help()));
  }
  return fmt::format(
      "# Command line\n\nWhat `--help` prints. What several commands share is printed once; later sections "
      "name it.\n\n```\n{}```\n{}",
      front.app.help(), page.text());
}

TEST(Documentation, IsTheHelp) {
  const std::string path = std::string(ASSAY_SOURCE_DIR) + "/docs/reference/cli.md";
  if (std::getenv("ASSAY_APPROVE") != nullptr) std::ofstream(path) << documentation();
  EXPECT_EQ(text_of(path), documentation());
}

TEST(Version, NamesTheLibrariesOnRequest) {
  EXPECT_EQ(std::ranges::count(assay("--version").text, '\n'), 1);
  for (const char* arguments : {"--version --verbose", "--verbose --version"})
    EXPECT_THAT(assay(arguments).text, HasSubstr("\nSQLite 3.")) << arguments;
  EXPECT_THAT(assay("--verbose machine").text, HasSubstr("--verbose requires --version"));
}

TEST(Help, IsPrintedWhereACommandIsMissingAndOnRequest) {
  const Said none = assay(""), group = assay("fabric");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.text,
              testing::AllOf(HasSubstr("Look at a node:\n  machine"), HasSubstr("Judge:\n  accept")));
  EXPECT_EQ(group.exit_code, 2);
  EXPECT_EQ(assay("help").text, none.text);
  EXPECT_EQ(assay("help").exit_code, 0);
  EXPECT_EQ(assay("help fabric").text, group.text);
  EXPECT_EQ(assay("help fabric read").text, assay("fabric read --help").text);
}

struct BadInput {
  const char* arguments;
  int exit_code;
  const char* says;
};

class BadCommandLine : public testing::TestWithParam<BadInput> {};

TEST_P(BadCommandLine, EndsWithOneClearLine) {
  const Said said = assay(GetParam().arguments);
  EXPECT_EQ(said.exit_code, GetParam().exit_code);
  EXPECT_THAT(said.text, HasSubstr(GetParam().says));
  EXPECT_EQ(std::ranges::count(said.text, '\n'), 1) << said.text;
}

TEST(BadFileName, OfThreeHundredLettersIsAbsentLikeAnyOther) {
  const std::string name(300, 'x');
  for (const auto& [command, says] : {std::pair{"run --plan ", "no such file, and no built-in plan"},
                                      {"import ", "no such journal"},
                                      {"reliability --rates-from-logbooks ", "no such logbook or folder"},
                                      {"top ", "expected a folder of runs or campaigns"},
                                      {"run --plan quick --out ", "cannot be written"}}) {
    const Said said = assay(command + name);
    EXPECT_EQ(said.exit_code, 2) << command;
    EXPECT_THAT(said.text, HasSubstr(says));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadCommandLine,
    testing::Values(
        BadInput{
            "measure", 2,
            "unknown command 'measure' (expected one of: machine check list top run like burn-in campaign "
            "calibrate "
            "import store show report export bundle accept compare normal limits plan-runs replay diff "
            "predict "
            "search explain fit workload reliability claims fabric)"},
        BadInput{"chek", 2, "fabric); did you mean check?"},
        BadInput{"accept --seal x", 2, "(see assay accept --help)"},
        BadInput{"fabric read --nothing", 2, "(see assay fabric read --help)"},
        BadInput{"nosuch --help", 2, "unknown command 'nosuch' (expected one of: machine check"},
        BadInput{"fabric nosuch --help", 2, "unknown command 'nosuch' (expected one of: "},
        BadInput{"run --axis treads=2", 2, "--axis treads: no case of this run has such an axis"},
        BadInput{"run --filter memory.host.raed", 2,
                 "--filter 'memory.host.raed' matches no case; did you mean memory.host.read?"},
        BadInput{"run --axis bytes=1GiB,treads=2", 2, "--axis treads: no case of this run has such an axis"},
        BadInput{"run --axis threads=lots", 2, "axis 'threads': 'lots' is not a whole number"},
        BadInput{"machine --format yaml", 2, "yaml not in {text,json,topology,svg}"},
        BadInput{"machine -o /no/such/folder/x", 2, "/no/such/folder/x: cannot be written"},
        BadInput{"show", 2, "assay-results/store.sqlite: no such store"},
        BadInput{"show gemms", 2, "gemms not in"},
        BadInput{"show --style osu", 2, "osu not in {nccl-tests,perftest}"},
        BadInput{"show gemm --style perftest", 2,
                 "show gemm --style perftest: expected the table 'rdma', or none"},
        BadInput{"show --style nccl-tests --format csv", 2, "show: --style excludes --format and --limit"},
        BadInput{"run --benchmark_filter 'n=(1'", 2,
                 "--benchmark_filter 'n=(1': expected a POSIX extended regular expression"},
        BadInput{"import nothing.jsonl", 2, "nothing.jsonl: no such journal"},
        BadInput{"run --plan nothing.toml", 2, "no such file, and no built-in plan"},
        BadInput{"export", 2, "form is required"},
        BadInput{"export nccl-tunner", 2,
                 "nccl-tunner not in {nccl-tuner,gemm-timings,collective-timings,memory-"},
        BadInput{"export calculon", 2, "export calculon: expected --base SYSTEM, a file"},
        BadInput{"export calculon --base x.json --csv a.csv --memory b.csv", 2,
                 "export calculon: --memory is not for this form (it is for aiconfigurator)"},
        BadInput{"export nccl-tuner --csv a.csv", 2,
                 "export nccl-tuner: --csv is not for this form (it is for aiconfigurator, "},
        BadInput{"export gemm-timings --dtype fp16", 2,
                 "export gemm-timings: --dtype is not for this form (it is for aiconfigurator, astra-sim, "},
        BadInput{"export simai --collectives a.csv --tier 1", 2,
                 "export simai: --tier is not for this form (it is for calculon)"},
        BadInput{"export simai latest --collectives a.csv", 2,
                 "--collectives excludes RUN, --store, --filter and --coefficients"},
        BadInput{"export simai latest --coefficients a.json", 2,
                 "--coefficients excludes RUN, --store and --filter"},
        BadInput{"export genz --csv a.csv --coefficients a.json", 2,
                 "--csv excludes RUN, --store, --filter and --coefficients"},
        BadInput{"export genz --coefficients a.json --coefficients b.json", 2,
                 "export genz: expected one --coefficients FILE"},
        BadInput{"export gemm-timings --coefficients a.json", 2,
                 "export gemm-timings: --coefficients is not for this form (it is for aiconfigurator, "},
        BadInput{"export calculon --coefficients a.json --tier 1", 2,
                 "export calculon: --tier excludes --coefficients, whose system is fitted"},
        BadInput{"export calculon --base x.json --csv a.csv --tier 1", 2,
                 "export calculon: --tier is of collectives (--collectives), or a run with them: got"},
        BadInput{"export calculon --base x.json --collectives a.csv --mode roofline", 2,
                 "export calculon: --mode is of GEMMs (--csv), or a run with them: got none"},
        BadInput{"export calculon --base x.json --memory m.csv", 2, "--memory is not for this form"},
        BadInput{"export nccl-tuner", 2, "assay-results/store.sqlite: no such store"},
        BadInput{"fit gemm --csv none.csv -o c.json", 2, "none.csv: cannot be read"},
        BadInput{"fit collectives --csv none.csv", 2, "--output is required"},
        BadInput{"fit evaluate none.json --csv none.csv", 2, "none.json: cannot be read"},
        BadInput{"run --resume", 2, "no run to resume"},
        BadInput{"accept --history ''", 2, "expected a share such as 2%, got an empty one"},
        BadInput{"burn-in --rounds 1 --check-every nan", 2, "got 'nan'"},
        BadInput{"run --run-id ../x", 2, "--run-id '../x': expected a name without '/'"},
        BadInput{"report --store /dev/null/x", 2, "no such store"}));

TEST(Assay, AFileThatIsNoStoreIsNotTouched) {
  for (const char* command : {"show", "report", "accept", "compare a b", "bundle -o b", "export nccl-tuner",
                              "fit memory -o m.json", "import /etc/hostname"})
    for (const auto& [path, what] :
         {std::pair{"/etc/hostname", "not a store, or not readable: file is not a database"},
          {"/tmp", "is a folder"}}) {
      const Said said = assay(std::string(command) + " --store " + path);
      EXPECT_EQ(said.exit_code, 2) << command;
      EXPECT_EQ(said.text,
                fmt::format("assay: store {}: {} (expected a file that assay run or assay import wrote)\n",
                            path, what))
          << command;
    }
}

TEST(Assay, AnEmptyFileIsNotMadeAStoreByReading) {
  const std::string path = testing::TempDir() + "assay_empty_store";
  std::ofstream(path).close();
  const Said said = assay("show --store " + path);
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text,
            fmt::format("assay: store {}: is empty (expected a file that assay run or assay import "
                        "wrote)\n",
                        path));
  EXPECT_EQ(std::filesystem::file_size(path), 0U);
}

TEST(Assay, ListNamesEveryModulesCases) {
  const Said said = assay("list --format names");
  EXPECT_EQ(said.exit_code, 0);
  EXPECT_THAT(said.text, HasSubstr("memory.host.triad\n"));
  EXPECT_THAT(said.text, HasSubstr("gemm."));
}

TEST(Assay, NothingIsMeasuredWhereTheStoreIsNone) {
  for (const char* command : {"run --plan quick", "burn-in --rounds 1"}) {
    const Said said =
        assay(fmt::format("--version && mkdir out && echo 'no store' > out/store.sqlite && "
                          "\"" ASSAY_BIN_DIR "/assay\" {} --out out 2>&1; test $? -eq 2 && ls out",
                          command));
    EXPECT_EQ(said.exit_code, 0) << said.text;
    EXPECT_THAT(said.text,
                HasSubstr("assay: store out/store.sqlite: not a store, or not readable: file is not a "
                          "database (expected a file that assay run or assay import "
                          "wrote)\nstore.sqlite\n"));
  }
}

TEST(Assay, ARunWhoseStoreCannotBeMadeSaysWhereTheJournalIs) {
  const Said said = assay(
      "--version && mkdir out && ln -s /no/such/folder/x out/store.sqlite && \"" ASSAY_BIN_DIR
      "/assay\" run --filter 'memory.host.copy' --axis bytes=1MiB --axis threads=1 --run-id r --out out");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text, HasSubstr("(what was measured is in out/r/journal.jsonl)"));
}

TEST(Assay, RunWritesJournalStoreAndReport) {
  const Said said = assay(
      "run --filter 'memory.host.copy' --axis bytes=1MiB --axis threads=1 --run-id r && ls assay-results/r "
      "&& "
      "\"" ASSAY_BIN_DIR "/assay\" show points --format csv");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("journal.jsonl\nplan.toml\nreport.html\n"));
  EXPECT_THAT(said.text, HasSubstr("memory.host.copy"));
}

}  // namespace
}  // namespace assay::cli
