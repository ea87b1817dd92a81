// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/reception.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

// Callers accepted in one look, so that those who are here are heard between looks.
constexpr int accepts_per_look = 1024;
constexpr double rest_s = 0.05;
// A rest in a storm, so that one wake-up disconnects many.
constexpr double storm_rest_s = 0.005;
constexpr int look_again_ms = 200, look_for_place_ms = 20;

ArrivalLimits with_space_for(std::size_t expected, ArrivalLimits limits) {
  limits.burst += static_cast<double>(expected);
  limits.all_burst += static_cast<double>(expected);
  return limits;
}

/// Without the state that a system keeps of connections that it closes in good order.
void hang_up(Descriptor socket) {
  const linger at_once{1, 0};
  setsockopt(socket.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

}  // namespace

Reception::Reception(Descriptor listening, std::function<Handshake()> make_handshake,
                     ReceptionOptions options)
    : listening_(std::move(listening)),
      make_handshake_(std::move(make_handshake)),
      options_(std::move(options)),
      rates_(with_space_for(options_.expected, options_.rates)),
      log_(options_.log) {}

void Reception::add_to(std::vector<pollfd>& waiting) const {
  // When all places are taken they wait in the listening queue, and look() frees places as time passes.
  if (!at_door_ && door_rests_.passed()) waiting.push_back({listening_.get(), POLLIN, 0});
  for (const Caller& caller : callers_)
    waiting.push_back({caller.link->descriptor(),
                       static_cast<short>(POLLIN | (caller.link->wants_to_write() ? POLLOUT : 0)), 0});
}

std::vector<Guest> Reception::look() {
  std::vector<Guest> guests;
  std::erase_if(callers_, [&](Caller& caller) { return hear(caller, guests); });
  take_callers();
  if (std::exchange(storm_, false) && door_rests_.passed()) door_rests_ = Deadline(storm_rest_s);
  log_.look();
  return guests;
}

int Reception::wait_ms(int most_ms) const {
  const bool must_look = !door_rests_.passed() || !callers_.empty() || log_.owes_a_line();
  if (!must_look) return most_ms;
  int due_ms = at_door_ ? look_for_place_ms : look_again_ms;
  if (!door_rests_.passed()) due_ms = static_cast<int>(door_rests_.remaining_s() * 1e3) + 1;
  return most_ms < 0 ? due_ms : std::min(most_ms, due_ms);
}

void Reception::take_callers() {
  int accepts_left = accepts_per_look;
  while (door_rests_.passed()) {
    if (!at_door_) at_door_ = next_arrival(accepts_left);
    if (!at_door_ || (callers_.size() >= options_.most_callers && !make_place())) return;
    let_in(*std::exchange(at_door_, std::nullopt));
  }
}

/// The next that does not call too often.
std::optional<Reception::Arrival> Reception::next_arrival(int& accepts_left) {
  while (accepts_left-- > 0) {
    Arrival arrival;
    arrival.socket = accept_from(listening_, arrival.peer);
    if (!arrival.socket) {
      if (errno == EMFILE || errno == ENFILE) out_of_descriptors();
      return std::nullopt;
    }
    if (rates_.admit(arrival.peer, core::steady_seconds())) return arrival;
    log_.refused_at_the_door(arrival.peer);
    hang_up(std::move(arrival.socket));
    storm_ = true;
  }
  return std::nullopt;
}

/// The socket that waits would else be ready at every look, and none of them could take it.
void Reception::out_of_descriptors() {
  door_rests_ = Deadline(rest_s);
  if (callers_.empty())
    std::this_thread::sleep_for(std::chrono::duration<double>(rest_s));  // nothing else wakes the owner
  else if (callers_.front().grace.passed())
    callers_.erase(callers_.begin());
}

void Reception::let_in(Arrival arrival) {
  const bool is_near = is_loopback(arrival.peer);
  std::string host = host_text(arrival.peer);
  if (options_.loopback_only && !is_near)
    return log(fmt::format("refused a caller from {}: without a key only this host is served", host));
  callers_.push_back({std::make_unique<SocketConnection>(std::move(arrival.socket), make_handshake_()),
                      arrival.peer, std::move(host), is_near, Deadline(options_.greeting_limit_s),
                      Deadline(options_.grace_s)});
}

/// False where no caller has to go yet.
bool Reception::make_place() {
  std::map<std::string, std::size_t> places;
  for (const Caller& caller : callers_) ++places[caller.host];
  const std::size_t most =
      std::ranges::max_element(places, {}, [](const auto& entry) { return entry.second; })->second;
  const auto oldest =
      std::ranges::find_if(callers_, [&](const Caller& one) { return places[one.host] == most; });
  const bool takes_too_many = !oldest->is_of_this_host && most > options_.most_callers / 2;
  if (!takes_too_many && !oldest->grace.passed()) return false;
  log(fmt::format("refused a caller from {}: too many callers at a time, and it was not ready",
                  oldest->host));
  callers_.erase(oldest);
  return true;
}

bool Reception::hear(Caller& caller, std::vector<Guest>& guests) {
  SocketConnection& link = *caller.link;
  link.progress();
  const std::string why = link.why_closed();
  if (link.is_authenticated() && (why.empty() || options_.with_first_frame)) {
    std::optional<Frame> frame = link.receive();
    if (frame || (!options_.with_first_frame && link.all_sent())) {
      rates_.give_back(caller.address);
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
  log_.close();
  listening_.reset();
  callers_.clear();
  at_door_.reset();
}

Descriptor listen_with_key(const TeamKey& key, const std::string& interface, std::uint16_t port,
                           const std::string& otherwise) {
  if (key.source != KeySource::none) return listen_at(interface, port);
  const std::string& where = interface.empty() ? otherwise : interface;
  refuse_strange_addresses(key, local_addresses(where, port), where);
  return listen_at(where, port);
}

}  // namespace assay::team
