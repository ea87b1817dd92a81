// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/greeting.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace assay::team {
namespace {

constexpr double last_word_s = 0.5;
constexpr double hosts_limit_s = 20;  // for ranks that are all there
constexpr const char* busy = "busy";

[[noreturn]] void no_answer(const std::string& what) { throw core::Error(core::ErrorKind::team, what); }

/// The words that refuse() sent: whether to come again, and why.
std::vector<std::string> refusal_of(const Frame& frame) {
  std::vector<std::string> words = unpack(frame.payload);
  words.resize(2);
  return words;
}

/// -1 for text that is not a number.
int whole_number(const std::string& text) {
  int number = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc() && end == text.data() + text.size() ? number : -1;
}

}  // namespace

void introduce(Connection& link, const Introduction& introduction) {
  link.send({FrameType::hello, to_text(introduction)});
}

void refuse(Connection& link, Refusal refusal, const std::string& why) {
  link.send_last({FrameType::refused, pack({refusal == Refusal::busy ? busy : "final", why})}, last_word_s);
}

Answer answer_of(Connection& link, double limit_s) {
  const std::optional<Frame> frame = receive_within(link, limit_s);
  if (!frame) {
    const std::string why = link.why_closed();
    no_answer(why.empty() ? fmt::format("did not introduce itself within {:g} s", limit_s) : why);
  }
  Answer answer;
  if (frame->type == FrameType::refused) {
    const std::vector<std::string> words = refusal_of(*frame);
    answer.is_refused = true;
    answer.is_busy = words[0] == busy;
    answer.refusal = words[1];
    return answer;
  }
  if (frame->type != FrameType::hello)
    no_answer(fmt::format("sent '{}' before it introduced itself", to_string(frame->type)));
  answer.introduction = introduction_from(frame->payload);
  return answer;
}

void send_welcome(Connection& link, const Welcome& welcome) {
  link.send({FrameType::welcome,
             pack({std::to_string(welcome.rank), std::to_string(welcome.size),
                   std::to_string(welcome.shape.star_up_to), std::to_string(welcome.shape.fan_out),
                   welcome.parent.host, std::to_string(welcome.parent.port), welcome.salt})});
}

Welcome receive_welcome(Connection& link, const std::string& leader, double limit_s) {
  link.trust();  // the reason of a refusal may be long
  const std::optional<Frame> frame = receive_within(link, limit_s);
  if (!frame) {
    const std::string why = link.why_closed();
    throw PeerLost(0, fmt::format("rank 0 ({}) {} before the team was complete", leader,
                                  why.empty() ? fmt::format("was silent for {:g} s", limit_s) : why));
  }
  if (frame->type == FrameType::refused)
    throw PeerLost(0, fmt::format("rank 0 ({}) called the run off: {}", leader, refusal_of(*frame)[1]));
  const std::vector<std::string> words =
      frame->type == FrameType::welcome ? unpack(frame->payload) : std::vector<std::string>{};
  Welcome welcome;
  if (words.size() == 7)
    welcome = {.rank = whole_number(words[0]),
               .size = whole_number(words[1]),
               .shape = {.star_up_to = whole_number(words[2]), .fan_out = whole_number(words[3])},
               .parent = {words[4], static_cast<std::uint16_t>(whole_number(words[5]))},
               .salt = words[6]};
  if (welcome.rank < 1 || welcome.rank >= welcome.size || welcome.shape.fan_out < 1)
    throw PeerLost(
        0, fmt::format("rank 0 ({}) sent '{}' where a welcome was due", leader, to_string(frame->type)));
  return welcome;
}

std::unique_ptr<Team> lead_star(const Hello& mine, std::vector<Follower> followers, Trust trust) {
  std::vector<std::string> hosts{mine.host};
  TreeLinks links;
  const int size = static_cast<int>(followers.size()) + 1;
  for (Follower& follower : followers) {
    send_welcome(*follower.link, {.rank = static_cast<int>(hosts.size()), .size = size, .shape = star_shape});
    hosts.push_back(std::move(follower.hello.host));
    links.children.push_back(std::move(follower.link));
  }
  return complete_team(place_in_tree(0, size, star_shape), std::move(hosts), std::move(links),
                       std::move(trust), hosts_limit_s);
}

std::unique_ptr<Team> follow_in_star(std::unique_ptr<Connection> link, const std::string& leader,
                                     double limit_s, Trust trust) {
  const Welcome welcome = receive_welcome(*link, leader, limit_s);
  TreePlace place = place_in_tree(welcome.rank, welcome.size, welcome.shape);
  if (place.parent != 0 || !place.children.empty())
    throw PeerLost(0, fmt::format("rank 0 ({}) sent a place in a tree where a star was due", leader));
  TreeLinks links;
  links.parent = std::move(link);
  return complete_team(std::move(place), unknown_hosts(welcome.size, leader), std::move(links),
                       std::move(trust), hosts_limit_s);
}

std::unique_ptr<Team> complete_team(TreePlace place, std::vector<std::string> hosts, TreeLinks links,
                                    Trust trust, double limit_s) {
  auto team =
      std::make_unique<TreeTeam>(std::move(place), std::move(hosts), std::move(links), std::move(trust));
  team->gather_at_leader("", limit_s);
  team->learn_hosts(limit_s);
  return team;
}

std::vector<std::string> unknown_hosts(int size, const std::string& leader) {
  std::vector<std::string> hosts(static_cast<std::size_t>(size), "?");
  hosts.front() = leader;
  return hosts;
}

}  // namespace assay::team
