// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/serve.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>

#include <iostream>
#include <optional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/team/handshake/greeting.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

constexpr double welcome_limit_s = 600;  // the leader may wait for hosts that are busy

/// Takes the signals that matter here off their handlers for as long as it lives.
class BlockedSignals {
 public:
  explicit BlockedSignals(sigset_t& before) : before_(before) {
    sigemptyset(&mine_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&mine_, signal);
    pthread_sigmask(SIG_BLOCK, &mine_, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  Descriptor descriptor() const { return Descriptor(signalfd(-1, &mine_, SFD_CLOEXEC | SFD_NONBLOCK)); }

 private:
  sigset_t mine_{};
  sigset_t& before_;
};

/// The signal that asks to end, 0 if none came.
int end_asked(const Descriptor& signals) {
  signalfd_siginfo info{};
  int asked = 0;
  while (read(signals.get(), &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD) asked = static_cast<int>(info.ssi_signo);
  return asked;
}

Reception reception_of(const ServeOptions& options) {
  return {listen_with_key(options.key, options.interface, options.port),
          [key = options.key] { return Handshake::of_listener(lead_errand(), key); },
          {.greeting_limit_s = options.greeting_limit_s,
           .rates = options.rates,
           .loopback_only = options.key.source == KeySource::none,
           .log = options.log}};
}

}  // namespace

Server::Server(ServeOptions options, Hello mine)
    : options_(std::move(options)), mine_(std::move(mine)), reception_(reception_of(options_)) {
  warn_where_open(options_.key, fmt::format("port {}", port()));
}

std::uint16_t Server::port() const { return port_of(reception_.listening()); }

int Server::run(const Session& session) {
  const BlockedSignals blocked(mask_before_);
  signals_ = blocked.descriptor();
  int asked = 0;
  while (asked == 0) {
    wait_for_events();
    asked = end_asked(signals_);
    watch_session();
    if (asked != 0) break;
    for (Guest& guest : reception_.look()) answer(std::move(guest), session);
  }
  reception_.close();
  running_.reset();
  return asked;
}

void Server::wait_for_events() {
  std::vector<pollfd> waiting{{signals_.get(), POLLIN, 0}};
  reception_.add_to(waiting);
  if (running_) waiting.push_back({running_->leader_socket(), POLLRDHUP, 0});
  constexpr int look_at_session_ms = 200;
  poll(waiting.data(), waiting.size(), reception_.wait_ms(running_ ? look_at_session_ms : -1));
}

void Server::watch_session() {
  if (!running_) return;
  const std::optional<std::string> ending = running_->ending(options_.leader_gone_grace_s);
  if (!ending) return;
  log(fmt::format("the run led by {} {}; ready for the next leader", running_->leader(), *ending));
  running_.reset();
}

void Server::answer(Guest guest, const Session& session) try {
  if (guest.first.type != FrameType::hello) return log("refused a caller: it did not introduce itself");
  const Introduction theirs = introduction_from(guest.first.payload);
  const std::string difference = disagreement(mine_, theirs.hello);
  if (!difference.empty()) {
    introduce(*guest.link, {mine_, -1, 0});  // so that the leader finds the same
    return log(fmt::format("refused a leader: {}", difference));
  }
  if (theirs.rank != 0) {
    refuse(*guest.link, Refusal::final,
           fmt::format("{} waits for a leader, not for a rank that joins", mine_.host));
    return log(fmt::format("refused {}: it is not a leader", theirs.hello.host));
  }
  if (running_)
    return refuse(*guest.link, Refusal::busy,
                  fmt::format("{} is busy with a run led by {}", mine_.host, running_->leader()));
  introduce(*guest.link, {mine_, -1, 0});
  begin(std::move(guest.link), theirs.hello.host, session);
} catch (const core::Error& error) {
  log(fmt::format("refused a caller: {}", error.what()));
}

void Server::begin(std::unique_ptr<SocketConnection> link, const std::string& leader,
                   const Session& session) {
  const int socket = link->descriptor();
  if (socket < 0) return log(fmt::format("{} called and went", leader));
  running_ = std::make_unique<SessionProcess>(leader, socket,
                                              [&] { return be_session(std::move(link), leader, session); });
  log(fmt::format("a run led by {} begins", leader));
}

/// In the new process: only the link to the leader stays.
bool Server::be_session(std::unique_ptr<SocketConnection> link, const std::string& leader,
                        const Session& session) {
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  reception_.close();
  signals_.reset();
  try {
    const std::unique_ptr<Team> team =
        follow_in_star(std::move(link), leader, welcome_limit_s,
                       {.by = to_text(options_.key.source), .secret = options_.key.secret});
    session(*team);
    return true;
  } catch (const std::exception& error) {
    log(fmt::format("the run led by {}: {}", leader, error.what()));
    return false;
  }
}

void Server::log(const std::string& line) const {
  if (options_.log)
    options_.log(line);
  else
    std::cerr << line + "\n";
}

}  // namespace assay::team
