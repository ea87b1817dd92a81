// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay like: the command that measures what another tool's command measures.
#include <fmt/format.h>

#include <iostream>

#include "harness/core/process/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/front_end.hpp"
#include "harness/front/cli/like/like.hpp"

namespace assay::cli {
namespace {

struct LikeFlags {
  std::string command;
  bool run = false;
};

int run_like(const LikeFlags& flags) {
  LikeAnswer answer = like(flags.command);
  (flags.run ? std::cerr : std::cout) << shell_text(answer.words) << "\n";
  for (const std::string& note : answer.notes) (flags.run ? std::cerr : std::cout) << "# " << note << "\n";
  if (!flags.run) return core::exit_code::pass;
  std::vector<char*> pointers;
  for (std::string& word : answer.words) pointers.push_back(word.data());
  const int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  return front_end(count, pointers.data());
}

}  // namespace

Command like_command(CLI::App& parent) {
  const auto flags = std::make_shared<LikeFlags>();
  CLI::App* app = parent.add_subcommand(
      "like", "The command that measures what a command of nccl-tests, perftest, nvbandwidth, ... measures");
  app->add_option("command", flags->command, "in quotes: 'all_reduce_perf -b 8 -e 8G -f 2 -g 8'")
      ->required()
      ->type_name("COMMAND");
  app->add_flag("--run", flags->run, "run it");
  return {app, [flags] { return run_like(*flags); }};
}

}  // namespace assay::cli
