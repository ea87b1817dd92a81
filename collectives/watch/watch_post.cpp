// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/watch_post.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <sstream>
#include <utility>
#include <vector>

#include "collectives/watch/rank_report.hpp"
#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/join/member_connections.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::collectives {
namespace {

constexpr int look_again_ms = 200;  // whether this post is to end
constexpr double caller_limit_s = 1, last_word_s = 1, parting_s = 1;

void ignore(const std::string&) {}

}  // namespace

std::string to_text(const PostPlace& place) {
  return fmt::format("{} {} {}", place.host, place.port, place.word);
}

PostPlace post_place_from(const std::string& text) {
  std::istringstream words(text);
  PostPlace place;
  words >> place.host >> place.port >> place.word;
  if (!words) throw core::Error(core::ErrorKind::team, fmt::format("'{}': expected a place of a post", text));
  return place;
}

team::Errand post_errand() { return {.purpose = "watch"}; }

team::TeamKey post_key(const PostPlace& place) {
  return team::key_among_members({.secret = place.secret}, "watch", place.word);
}

WatchPost::WatchPost(int rank, const std::string& interface)
    : rank_(rank),
      key_(post_key({.word = team::random_secret()})),  // a random one, until the first point
      reception_(team::listen_at(interface, 0),
                 [this] { return team::Handshake::of_listener(post_errand(), key()); },
                 {.greeting_limit_s = caller_limit_s, .most_callers = 64, .log = ignore}),
      port_(team::port_of(reception_.listening())) {
  thread_ = std::thread([this] { serve(); });
}

WatchPost::~WatchPost() {
  ends_ = true;
  thread_.join();
}

PostPlace WatchPost::begin_point(const std::string& team_secret) {
  PostPlace place{team::hello_of_this_host().host, port_, team::to_hex(team::random_secret()), team_secret};
  {
    const std::lock_guard lock(mutex_);
    key_ = post_key(place);
  }
  given_up_ = false;
  ring_.restart();
  return place;
}

team::TeamKey WatchPost::key() const {
  const std::lock_guard lock(mutex_);
  return key_;
}

void WatchPost::serve() {
  while (!ends_) look(look_again_ms);
  // Posts are asked when a rank has died, and then the others end soon: who has called is heard out.
  look(0);
  const team::Deadline parting(parting_s);
  while (!reception_.is_empty() && !parting.passed()) look(look_again_ms);
}

void WatchPost::look(int wait_ms) {
  std::vector<pollfd> waiting;
  reception_.add_to(waiting);
  poll(waiting.data(), waiting.size(), reception_.wait_ms(wait_ms));
  for (team::Guest& guest : reception_.look()) answer(std::move(guest));
}

void WatchPost::answer(team::Guest guest) {
  // The key may be of a point that has ended while the caller proved it.
  if (guest.link->secret() != key().secret) return;
  std::string text;
  if (guest.first.payload == "give_up") {
    given_up_ = true;
    text = "given up\n";
  } else if (guest.first.payload == "look") {
    text = to_text({.rank = rank_, .now_s = core::steady_seconds(), .latest = ring_.latest()});
  }
  if (!text.empty()) guest.link->send_last({team::FrameType::gathered, text}, last_word_s);
}

}  // namespace assay::collectives
