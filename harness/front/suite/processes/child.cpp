// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::suite {
namespace {

using Steady = std::chrono::steady_clock;

/// The state in proc_pid_stat(5): R, S, D, Z ... after the name, which may hold anything.
char state_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= text.size() ? '?' : text[name_end + 2];
}

[[noreturn]] void system_error(const std::string& doing) {
  const int code = errno;
  throw core::Error(core::ErrorKind::system, fmt::format("{}: {}", doing, std::strerror(code)), code);
}

/// Between fork and exec only async-signal-safe calls are allowed.
[[noreturn]] void become(char* const* argv, const Surroundings& surroundings, pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);  // the parent died before prctl took effect
  for (const int descriptor : surroundings.keep) fcntl(descriptor, F_SETFD, 0);
  // srun reads what it has; in the background of a terminal that would stop it.
  if (surroundings.stdin_descriptor >= 0)
    dup2(surroundings.stdin_descriptor, STDIN_FILENO);
  else if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing > 0)
    dup2(nothing, STDIN_FILENO);
  if (surroundings.stdout_descriptor >= 0) dup2(surroundings.stdout_descriptor, STDOUT_FILENO);
  if (surroundings.stderr_descriptor >= 0) dup2(surroundings.stderr_descriptor, STDERR_FILENO);
  execv(argv[0], argv);
  _exit(127);
}

}  // namespace

Child::Child(const std::vector<std::string>& argv, const Surroundings& surroundings)
    : reach_(surroundings.reach), dies_within_s_(surroundings.dies_within_s) {
  if (access(argv.front().c_str(), X_OK) != 0) system_error("start " + argv.front());
  std::vector<std::string> words(argv);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) system_error("start " + argv.front());
  if (pid_ == 0) become(pointers.data(), surroundings, parent);
  setpgid(pid_, pid_);  // in both, so that neither has to wait for the other
}

Child::~Child() {
  if (ended_ || pid_ < 0) return;
  kill(-pid_, SIGKILL);
  const auto start = Steady::now();
  for (int status = 0; waitpid(pid_, &status, WNOHANG) == 0 && core::seconds_since(start) < dies_within_s_;)
    poll(nullptr, 0, 10);
}

void Child::send(int signal) const {
  if (!ended_) kill(reach_ == Reach::group ? -pid_ : pid_, signal);
}

void Child::kill_after(double grace_s) {
  const auto start = Steady::now();
  if (grace_s > 0) send(SIGTERM);
  while (!ended() && core::seconds_since(start) < grace_s) poll(nullptr, 0, 20);
  send(SIGKILL);
  killed_ = true;
}

void Child::reap(int status) {
  ended_ = true;
  if (WIFSIGNALED(status))
    ending_.signal = WTERMSIG(status);
  else
    ending_.exit_code = WEXITSTATUS(status);
}

bool Child::ended() {
  int status = 0;
  if (ended_) return true;
  const pid_t got = waitpid(pid_, &status, WNOHANG);
  if (got == pid_) reap(status);
  if (got < 0 && errno != EINTR) system_error("wait for a module");
  return ended_;
}

/// It stays a child of this process, which never learns of its end.
void Child::leave_behind() {
  ended_ = true;
  ending_.signal = SIGKILL;
  ending_.left_behind =
      fmt::format("process {} (state {}) did not end within {:g} s of its kill: left behind", pid_,
                  state_of(pid_), dies_within_s_);
}

Ending Child::wait() {
  const auto start = Steady::now();
  while (!ended()) {
    if (killed_ && core::seconds_since(start) > dies_within_s_)
      leave_behind();
    else
      poll(nullptr, 0, 10);
  }
  return ending_;
}

Pipe::Pipe() {
  if (pipe2(ends_, O_CLOEXEC) != 0) system_error("make a pipe");
}

Pipe::~Pipe() {
  close_read_end();
  close_write_end();
}

void Pipe::close_end(int which) {
  if (ends_[which] >= 0) close(ends_[which]);
  ends_[which] = -1;
}

Output run_and_read(const std::vector<std::string>& argv, const Patience& patience,
                    const std::atomic<int>* signals) {
  Pipe pipe;
  Child child(argv, {.stdout_descriptor = pipe.write_end(),
                     .reach = patience.reach,
                     .dies_within_s = patience.dies_within_s});
  pipe.close_write_end();
  Output output;
  std::array<char, 4096> buffer{};
  const auto start = Steady::now();
  std::optional<Steady::time_point> interrupted;
  // A process that has closed its output may still hang while a driver closes its files.
  for (bool open = true; open || !child.ended();) {
    if (!interrupted && signals != nullptr && *signals > 0) interrupted = Steady::now();
    const bool given_up = interrupted && core::seconds_since(*interrupted) >= patience.interrupted_s;
    output.timed_out = core::seconds_since(start) > patience.limit_s;
    if (output.timed_out || given_up) {
      child.kill_after(patience.grace_s);
      break;
    }
    pollfd waiting{open ? pipe.read_end() : -1, POLLIN, 0};
    if (poll(&waiting, 1, open ? 100 : 10) <= 0) continue;
    const ssize_t got = read(pipe.read_end(), buffer.data(), buffer.size());
    if (got > 0) output.text.append(buffer.data(), static_cast<std::size_t>(got));
    open = got > 0 || (got < 0 && errno == EINTR);
  }
  output.ending = child.wait();
  return output;
}

}  // namespace assay::suite
