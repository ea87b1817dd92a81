// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay like: the command that measures what another tool's command measures.
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/shell_words.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/like/like.hpp"

namespace assay::cli {
namespace {

struct LikeFlags {
  std::string command;
  bool run = false;
};

/// Puts the command in place of this process. Throws a system Error where that fails.
[[noreturn]] void become(std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::cerr.flush();
  ::execv("/proc/self/exe", arguments.data());
  throw core::Error(core::ErrorKind::system, "like: the command cannot be started", errno);
}

int run_like(const LikeFlags& flags) {
  LikeAnswer answer = like(flags.command);
  std::ostream& stream = flags.run ? std::cerr : std::cout;
  stream << core::shell_text(answer.words) << "\n";
  for (const std::string& note : answer.notes) stream << "# " << note << "\n";
  if (flags.run) become(answer.words);
  return core::exit_code::pass;
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
