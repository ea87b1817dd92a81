// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/watch_post.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <random>
#include <sstream>

#include "collectives/room/clock_offset.hpp"
#include "collectives/watch/rank_report.hpp"
#include "harness/core/error.hpp"
#include "harness/team/hello.hpp"
#include "harness/team/tcp_socket.hpp"

namespace assay::collectives {
namespace {

constexpr int look_again_ms = 200;  // whether this post is to end
constexpr int caller_limit_ms = 1000;

std::string word_text(std::uint64_t word) { return fmt::format("{:016x}", word); }

/// The line a caller says; empty where it says none in time.
std::string line_from(const core::Descriptor& caller) {
  std::string line;
  std::array<char, 64> bytes{};
  pollfd waiting{caller.get(), POLLIN, 0};
  while (line.find('\n') == std::string::npos && line.size() < bytes.size()) {
    if (poll(&waiting, 1, caller_limit_ms) <= 0) return {};
    const ssize_t count = recv(caller.get(), bytes.data(), bytes.size(), 0);
    if (count <= 0) return {};
    line.append(bytes.data(), static_cast<std::size_t>(count));
  }
  return line.substr(0, line.find('\n'));
}

void send_all(const core::Descriptor& caller, const std::string& text) {
  // A report has a few KiB: the socket takes it whole.
  static_cast<void>(send(caller.get(), text.data(), text.size(), MSG_NOSIGNAL));
}

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

WatchPost::WatchPost(int rank)
    : rank_(rank), listening_(team::listen_at("", 0)), port_(team::port_of(listening_)) {
  thread_ = std::thread([this] { serve(); });
}

WatchPost::~WatchPost() {
  ends_ = true;
  thread_.join();
}

PostPlace WatchPost::begin_point() {
  std::random_device random;
  word_ = (std::uint64_t{random()} << 32) | random();
  given_up_ = false;
  ring_.restart();
  return {team::hello_of_this_host().host, port_, word_text(word_)};
}

void WatchPost::serve() {
  while (!ends_) {
    pollfd waiting{listening_.get(), POLLIN, 0};
    if (poll(&waiting, 1, look_again_ms) <= 0) continue;
    if (const core::Descriptor caller = team::accept_from(listening_)) answer(caller);
  }
}

void WatchPost::answer(const core::Descriptor& caller) {
  const std::string line = line_from(caller), word = word_text(word_);
  if (line == "give_up " + word) {
    given_up_ = true;
    send_all(caller, "given up\n");
  } else if (line == "look " + word) {
    send_all(caller, to_text({.rank = rank_, .now_s = monotonic_s(), .latest = ring_.latest()}));
  }
}

}  // namespace assay::collectives
