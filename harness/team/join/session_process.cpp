// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/session_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

constexpr double polite_end_s = 2;
constexpr std::chrono::milliseconds look_again{10};

[[noreturn]] void become_session(pid_t parent, const std::function<bool()>& body) noexcept {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent died before prctl took effect
  const bool succeeded = body();
  std::fflush(nullptr);
  _exit(succeeded ? 0 : 1);  // the parent's destructors are the parent's to run
}

}  // namespace

SessionProcess::SessionProcess(std::string leader, int leader_socket, const std::function<bool()>& body)
    : leader_(std::move(leader)) {
  std::fflush(nullptr);  // else both would write what waits
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) {
    const int code = errno;
    throw core::Error(core::ErrorKind::system,
                      fmt::format("start a process for a run: {}", std::strerror(code)), code);
  }
  if (process_ == 0) become_session(parent, body);
  setpgid(process_, process_);  // in both, so that neither has to wait for the other
  leader_socket_ = Descriptor(fcntl(leader_socket, F_DUPFD_CLOEXEC, 0));
}

SessionProcess::~SessionProcess() {
  if (reaped_) return;
  kill(-process_, SIGTERM);
  const Deadline deadline(polite_end_s);
  while (!reap(WNOHANG) && !deadline.passed()) std::this_thread::sleep_for(look_again);
  if (!reaped_) kill(-process_, SIGKILL);
  if (!reaped_) reap(0);
}

std::optional<std::string> SessionProcess::ending(double grace_s) {
  watch_leader(grace_s);
  if (!reap(WNOHANG)) return std::nullopt;
  kill(-process_, SIGKILL);  // what it started and left
  if (killed_) return fmt::format("went on for {:g} s without its leader: it was killed", grace_s);
  if (WIFSIGNALED(status_))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status_), strsignal(WTERMSIG(status_)));
  return WEXITSTATUS(status_) == 0 ? "is over" : "failed";
}

bool SessionProcess::reap(int flags) {
  if (!reaped_) reaped_ = waitpid(process_, &status_, flags) == process_;
  return reaped_;
}

void SessionProcess::watch_leader(double grace_s) {
  pollfd waiting{leader_socket_.get(), POLLRDHUP, 0};
  if (!leader_gone_ && poll(&waiting, 1, 0) > 0) leader_gone_.emplace(grace_s);
  if (!leader_gone_ || !leader_gone_->passed() || killed_) return;
  kill(-process_, SIGKILL);
  killed_ = true;
}

}  // namespace assay::team
