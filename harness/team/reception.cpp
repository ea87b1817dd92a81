// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/reception.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/team/tcp_socket.hpp"

namespace assay::team {
namespace {

// Of one look, so that those who are here are heard between.
constexpr int accepts_per_look = 64;
constexpr double log_window_s = 10;
constexpr int lines_per_window = 20;

bool someone_waits(const Descriptor& listening) {
  pollfd waiting{listening.get(), POLLIN, 0};
  return poll(&waiting, 1, 0) > 0;
}

}  // namespace

Reception::Reception(Descriptor listening, std::function<Handshake()> make_handshake,
                     ReceptionOptions options)
    : listening_(std::move(listening)),
      make_handshake_(std::move(make_handshake)),
      options_(std::move(options)),
      log_window_(log_window_s) {}

void Reception::add_to(std::vector<pollfd>& waiting) const {
  // Where the house is full they wait in the listening queue, and look() makes places as time passes.
  if (callers_.size() < options_.most_callers) waiting.push_back({listening_.get(), POLLIN, 0});
  for (const Caller& caller : callers_)
    waiting.push_back({caller.link->descriptor(),
                       static_cast<short>(POLLIN | (caller.link->wants_to_write() ? POLLOUT : 0)), 0});
}

std::vector<Guest> Reception::look() {
  std::vector<Guest> guests;
  std::erase_if(callers_, [&](Caller& caller) { return hear(caller, guests); });
  take_callers();
  return guests;
}

void Reception::take_callers() {
  for (int taken = 0; taken < accepts_per_look; ++taken) {
    if (callers_.size() >= options_.most_callers && (!someone_waits(listening_) || !make_place())) return;
    Descriptor caller = accept_from(listening_);
    if (!caller) return;
    let_in(std::move(caller));
  }
}

void Reception::let_in(Descriptor socket) {
  const SocketAddress peer = peer_of(socket);
  const bool is_near = is_loopback(peer);
  if (options_.loopback_only && !is_near)
    return log(
        fmt::format("refused a caller from {}: without a key only this host is served", host_text(peer)));
  callers_.push_back({std::make_unique<SocketLink>(std::move(socket), make_handshake_()), host_text(peer),
                      is_near, Deadline(options_.greeting_limit_s), Deadline(options_.grace_s)});
}

/// False where nobody has to go yet.
bool Reception::make_place() {
  std::map<std::string, std::size_t> places;
  for (const Caller& caller : callers_) ++places[caller.host];
  const std::size_t most =
      std::ranges::max_element(places, {}, [](const auto& entry) { return entry.second; })->second;
  const auto oldest =
      std::ranges::find_if(callers_, [&](const Caller& one) { return places[one.host] == most; });
  const bool takes_too_many = !oldest->is_of_this_host && most > options_.most_callers / 2;
  if (!takes_too_many && !oldest->grace.passed()) return false;
  log(fmt::format("refused a caller from {}: too many call at a time, and it did not come to the point",
                  oldest->host));
  callers_.erase(oldest);
  return true;
}

bool Reception::hear(Caller& caller, std::vector<Guest>& guests) {
  SocketLink& link = *caller.link;
  link.progress();
  const std::string why = link.why_closed();
  if (link.is_authenticated() && (why.empty() || options_.with_first_frame)) {
    std::optional<Frame> frame = link.receive();
    if (frame || (!options_.with_first_frame && link.all_sent())) {
      guests.push_back({std::move(caller.link), frame.value_or(Frame{})});
      return true;
    }
  }
  if (!why.empty()) {
    log(fmt::format("refused a caller from {}: it {}", caller.host, why));
    return true;
  }
  if (!caller.deadline.passed()) return false;
  log(fmt::format("refused a caller from {}: it did not introduce itself within {:g} s", caller.host,
                  options_.greeting_limit_s));
  return true;
}

void Reception::close() {
  listening_.reset();
  callers_.clear();
}

void Reception::log(const std::string& line) {
  const auto write = [&](const std::string& text) {
    if (options_.log)
      options_.log(text);
    else
      fmt::print(stderr, "{}\n", text);
  };
  if (log_window_.passed()) {
    if (not_logged_ > 0) write(fmt::format("{} more callers were refused", not_logged_));
    log_window_ = Deadline(log_window_s);
    logged_ = not_logged_ = 0;
  }
  if (logged_ >= lines_per_window) {
    ++not_logged_;
    return;
  }
  ++logged_;
  write(line);
}

Descriptor listen_with_key(const TeamKey& key, const std::string& interface, std::uint16_t port,
                           const std::string& otherwise) {
  if (key.source != KeySource::none) return listen_at(interface, port);
  const std::string& where = interface.empty() ? otherwise : interface;
  refuse_strange_addresses(key, local_addresses(where, port), where);
  return listen_at(where, port);
}

}  // namespace assay::team
