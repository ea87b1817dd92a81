// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/ranks/local_ranks.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/process/handle_signals.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/frame.hpp"

namespace assay::collectives {
namespace {

constexpr double patience_s = 2;
constexpr std::chrono::milliseconds look_again{2};
constexpr std::size_t longest_text = 16384;  // a key has at most 4,096 bytes
constexpr const char* started = "started";
constexpr const char* origin_ended = "start ranks: the process that starts them has ended";

[[noreturn]] void no_process(int code) {
  throw core::Error(core::ErrorKind::system, fmt::format("start ranks: {}", std::strerror(code)), code);
}

/// An order to the process set apart: start a team, or (size 0) end the one that runs.
struct Order {
  int size = 0, port = 0;
  std::optional<std::string> key{};  // for the environment
};

std::string to_text(const Order& order) {
  std::vector<std::string> texts{std::to_string(order.size), std::to_string(order.port)};
  if (order.key) texts.push_back(*order.key);
  return team::pack(texts);
}

Order order_from(std::string_view text) {
  const std::vector<std::string> texts = team::unpack(text);
  Order order{.size = std::stoi(texts.at(0)), .port = std::stoi(texts.at(1))};
  if (texts.size() > 2) order.key = texts[2];
  return order;
}

/// Nothing once the other side has closed the door.
std::optional<std::string> receive(int door) {
  std::string text(longest_text, '\0');
  ssize_t bytes = 0;
  do bytes = recv(door, text.data(), text.size(), 0);
  while (bytes < 0 && errno == EINTR);
  if (bytes <= 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(bytes));
  return text;
}

bool send_text(int door, const std::string& text) {
  ssize_t bytes = 0;
  do bytes = send(door, text.data(), text.size(), MSG_NOSIGNAL);
  while (bytes < 0 && errno == EINTR);
  return bytes == static_cast<ssize_t>(text.size());
}

void set_place(int rank, const Order& order) {
  // NOLINTBEGIN(concurrency-mt-unsafe): a copy has one thread
  setenv("RANK", std::to_string(rank).c_str(), 1);
  setenv("WORLD_SIZE", std::to_string(order.size).c_str(), 1);
  setenv("MASTER_ADDR", local_address, 1);
  setenv("MASTER_PORT", std::to_string(order.port).c_str(), 1);
  if (order.key)
    setenv(team::key_variable, order.key->c_str(), 1);
  else
    unsetenv(team::key_variable);
  // NOLINTEND(concurrency-mt-unsafe)
}

/// The process that is set apart: it copies itself for each rank, and waits for the copies' ends.
class Origin {
 public:
  Origin(int door, const RankWork& work) : door_(door), work_(work) {
    // Signals of a terminal reach the whole group; this process ends with the one that made it, after its
    // ranks.
    core::handle_signals({SIGINT, SIGTERM, SIGUSR1, SIGPIPE}, SIG_IGN);
    hang_up_ = std::signal(SIGHUP, SIG_IGN);
  }

  void serve() {
    while (const std::optional<std::string> text = receive(door_)) {
      const Order order = order_from(*text);
      end_copies();
      if (!send_text(door_, start(order))) break;
    }
    end_copies();
  }

 private:
  /// Returns `started`, or why a rank could not be.
  std::string start(const Order& order) {
    if (order.size == 0) return started;
    if (work_.prepare) work_.prepare();
    const pid_t origin = getpid();
    for (int rank = 1; rank < order.size; ++rank) {
      const pid_t copy = fork();
      if (copy < 0) return fmt::format("start rank {}: {}", rank, std::strerror(errno));
      if (copy == 0) be_rank(rank, order, origin);
      copies_.push_back(copy);
    }
    return started;
  }

  [[noreturn]] void be_rank(int rank, const Order& order, pid_t origin) noexcept {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != origin) _exit(127);  // it died before prctl took effect
    prctl(PR_SET_NAME, fmt::format("assay-rank-{}", rank).c_str());
    core::handle_signals({SIGINT, SIGTERM, SIGUSR1}, SIG_DFL);
    std::signal(SIGHUP, hang_up_);
    close(door_);
    set_place(rank, order);
    std::exit(work_.follow());  // NOLINT(concurrency-mt-unsafe): what a rank's main would do
  }

  void end_copies() {
    const team::Deadline patience(patience_s);
    for (const pid_t copy : copies_) {
      bool ended = has_ended(copy);
      while (!ended && !patience.passed()) {
        std::this_thread::sleep_for(look_again);
        ended = has_ended(copy);
      }
      if (ended) continue;
      kill(copy, SIGKILL);
      waitpid(copy, nullptr, 0);
    }
    copies_.clear();
  }

  static bool has_ended(pid_t copy) { return waitpid(copy, nullptr, WNOHANG) != 0; }

  int door_;
  const RankWork& work_;
  void (*hang_up_)(int) = SIG_DFL;
  std::vector<pid_t> copies_;
};

/// No exception may leave it: the copy would continue as the program that it is a copy of.
[[noreturn]] void be_origin(int door, pid_t parent, const RankWork& work) noexcept {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  prctl(PR_SET_NAME, "assay-ranks");
  Origin(door, work).serve();
  _exit(0);  // the destructors of what was copied are the parent's to run
}

}  // namespace

LocalRanks::LocalRanks(const RankWork& work) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) no_process(errno);
  door_ = core::Descriptor(ends[0]);
  core::Descriptor theirs(ends[1]);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ < 0) no_process(errno);
  if (process_ > 0) return;
  door_.reset();
  be_origin(theirs.get(), parent, work);
}

LocalRanks::~LocalRanks() {
  door_.reset();
  waitpid(process_, nullptr, 0);
}

void LocalRanks::start(int size, int port, const team::TeamKey& key) {
  Order order{.size = size, .port = port};
  if (key.source == team::KeySource::environment) order.key = key.secret;
  const bool is_sent = send_text(door_.get(), to_text(order));
  const std::string answer = is_sent ? receive(door_.get()).value_or(origin_ended) : origin_ended;
  if (answer != started) throw core::Error(core::ErrorKind::system, answer);
}

void LocalRanks::end() {
  if (send_text(door_.get(), to_text(Order{}))) receive(door_.get());
}

}  // namespace assay::collectives
