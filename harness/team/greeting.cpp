// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/greeting.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "harness/team/star_team.hpp"

namespace assay::team {
namespace {

constexpr double last_word_s = 0.5;
constexpr const char* busy = "busy";

[[noreturn]] void no_answer(const std::string& what) { throw core::Error(core::ErrorKind::team, what); }

/// What `refuse` sent: whether to come again, and why.
std::vector<std::string> refusal_of(const Frame& frame) {
  std::vector<std::string> words = unpack(frame.payload);
  words.resize(2);
  return words;
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

std::unique_ptr<Team> welcome(const Hello& mine, std::vector<Follower> followers, Trust trust) {
  std::vector<std::string> hosts{mine.host};
  for (const Follower& follower : followers) hosts.push_back(follower.hello.host);
  std::vector<std::unique_ptr<Connection>> links;
  for (std::size_t i = 0; i < followers.size(); ++i) {
    std::vector<std::string> words{std::to_string(i + 1)};
    words.insert(words.end(), hosts.begin(), hosts.end());
    followers[i].link->send({FrameType::welcome, pack(words)});
    links.push_back(std::move(followers[i].link));
  }
  return std::make_unique<StarTeam>(0, std::move(hosts), std::move(links), std::move(trust));
}

std::unique_ptr<Team> await_welcome(std::unique_ptr<Connection> link, const std::string& leader,
                                    double limit_s, Trust trust) {
  link->trust();  // the names of a large team are long
  const std::optional<Frame> frame = receive_within(*link, limit_s);
  if (!frame) {
    const std::string why = link->why_closed();
    throw PeerLost(0, fmt::format("rank 0 ({}) {} before the team was complete", leader,
                                  why.empty() ? fmt::format("was silent for {:g} s", limit_s) : why));
  }
  if (frame->type == FrameType::refused)
    throw PeerLost(0, fmt::format("rank 0 ({}) called the run off: {}", leader, refusal_of(*frame)[1]));
  std::vector<std::string> words = unpack(frame->payload);
  int rank = 0;
  if (frame->type == FrameType::welcome && !words.empty())
    std::from_chars(words[0].data(), words[0].data() + words[0].size(), rank);
  if (rank < 1 || static_cast<std::size_t>(rank) + 1 >= words.size())
    throw PeerLost(
        0, fmt::format("rank 0 ({}) sent '{}' where a welcome was due", leader, to_string(frame->type)));
  words.erase(words.begin());
  std::vector<std::unique_ptr<Connection>> links;
  links.push_back(std::move(link));
  return std::make_unique<StarTeam>(rank, std::move(words), std::move(links), std::move(trust));
}

}  // namespace assay::team
