// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/started_container.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cstdlib>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/core/files/scratch_folder.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/process/program_on_path.hpp"
#include "harness/core/process/rest_until.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::cli {
namespace {

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  constexpr std::size_t most = 200;
  return core::printable(text.substr(text.rfind('\n') + 1), most);
}

std::string how_it_ended(const suite::Ending& ending) {
  return ending.signal != 0 ? fmt::format("ended by signal {}", ending.signal)
                            : fmt::format("ended with exit code {}", ending.exit_code);
}

health::ServiceAnswer run(const std::vector<std::string>& command, double deadline_s) {
  const core::ScratchFolder folder("container");
  const std::string said = folder.path() / "said";
  const core::Descriptor output(::open(said.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  const double start = core::steady_seconds();
  suite::Child child(command, {.stdout_descriptor = output.get(), .stderr_descriptor = output.get()});
  while (!child.ended()) {
    if (core::steady_seconds() - start > deadline_s) {
      child.kill_after(1);
      child.wait();
      return {"", false, fmt::format("it did not end within {:g} s", deadline_s)};
    }
    core::rest_until(core::steady_seconds() + 0.01);
  }
  const suite::Ending ending = child.wait();
  if (ending.signal == 0 && ending.exit_code == 0)
    return {"", true, fmt::format("started and ended in {:.1f} s", core::steady_seconds() - start)};
  const std::string why = last_line(core::read_whole_file(said));
  return {"", false, how_it_ended(ending) + (why.empty() ? "" : ": " + why)};
}

}  // namespace

health::ServiceAnswer start_container(const std::vector<std::string>& command, double deadline_s) {
  const char* const path = std::getenv("PATH");
  std::vector<std::string> words = command;
  if (words.front().find('/') == std::string::npos)
    words.front() = core::program_on_path(words.front(), path == nullptr ? "" : path);
  health::ServiceAnswer answer{"", false, "not in PATH"};
  if (!words.front().empty()) try {
      answer = run(words, deadline_s);
    } catch (const core::Error& error) {
      answer.evidence = error.what();
    }
  answer.of = command.front();
  return answer;
}

health::JobAnswers ask_on_this_machine(const health::JobNeeds& needs) {
  health::JobAnswers answers = health::ask_for(needs);
  if (!needs.container.empty())
    answers.containers.push_back(start_container(needs.container, needs.container_deadline_s));
  return answers;
}

}  // namespace assay::cli
