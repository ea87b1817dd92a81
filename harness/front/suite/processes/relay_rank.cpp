// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The end of a relay on a node.
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/suite/processes/base64.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/processes/passed_signals.hpp"
#include "harness/front/suite/processes/relay.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

/// Reads the variables of torchrun, Open MPI, PMIx, MPICH and Slurm in the order in which modules look.
bool is_rank_0() {
  for (const char* name : {"RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* rank = std::getenv(name)) return std::strcmp(rank, "0") == 0;
  return true;
}

/// slurmstepd signals every process of a step itself; a second interrupt would end the module at once.
bool signals_reach_all() {
  return std::getenv("SLURM_STEP_ID") != nullptr && !std::getenv("OMPI_COMM_WORLD_RANK");
}

void write_plan(const SharedFiles& files, const std::string& word) {
  fs::create_directories(files.journal.parent_path());
  if (files.plan.empty()) return;
  fs::create_directories(files.plan.parent_path());
  core::write_whole_file(files.plan.string(), from_base64(word).value_or(""));
}

int become(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(pointers.front(), pointers.data());
  throw core::Error(core::ErrorKind::system, "start " + words.front(), errno);
}

void write_input() {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  for (const auto& [path, content] : files_from_input(text)) {
    fs::create_directories(fs::path(path).parent_path());
    core::write_whole_file(path, content);
  }
}

/// Sends the whole lines that were added since the last look.
class Tail {
 public:
  Tail(char name, fs::path file) : name_(name), file_(std::move(file)) {
    std::error_code none;
    const auto size = fs::file_size(file_, none);
    if (!none) sent_ = size;
  }

  void send() {
    std::ifstream stream(file_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(sent_));
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t whole = text.rfind('\n') + 1;  // 0 where there is none
    for (const RelayPiece& piece : pieces_of(name_, sent_, std::string_view(text).substr(0, whole)))
      std::cout << to_line(piece) << std::flush;
    sent_ += whole;
  }

 private:
  char name_;
  fs::path file_;
  std::size_t sent_ = 0;
};

int end_like(const Ending& ending) {
  if (ending.signal == 0) return ending.exit_code;
  std::signal(ending.signal, SIG_DFL);  // the launcher names the signal that ended the rank
  raise(ending.signal);
  return 128 + ending.signal;
}

}  // namespace

int relay_rank(const std::vector<std::string>& plan_and_words) {
  const std::vector<std::string> words(plan_and_words.begin() + 1, plan_and_words.end());
  const SharedFiles files = shared_files_in(words);
  if (fs::exists(files.mark())) return become(words);
  write_plan(files, plan_and_words.front());
  if (!is_rank_0()) return become(words);
  const std::atomic<int>& signals = pass_on_signals();
  write_input();
  std::error_code none;
  fs::remove(files.announcements, none);  // of an earlier start
  Tail journal('j', files.journal), announcements('a', files.announcements);
  Child module(words, {.reach = Reach::process});
  for (int passed = 0; !module.ended(); poll(nullptr, 0, 50)) {
    const int now = signals;
    if (now != passed && !(now == SIGUSR1 && signals_reach_all())) module.send(now);
    passed = now;
    announcements.send();
    journal.send();
  }
  const Ending ending = module.wait();
  announcements.send();
  journal.send();
  return end_like(ending);
}

}  // namespace assay::suite
