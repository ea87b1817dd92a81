// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/dial.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/process/side_by_side.hpp"
#include "harness/team/handshake/greeting.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/socket_connection.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

constexpr std::chrono::milliseconds busy_pause{100}, hung_up_pause{20};

struct Call {
  Address address;
  std::optional<Follower> follower;
  std::string failure;
};

std::string hint(const Address& address, const DialOptions& options) {
  return fmt::format(": is `{}` running there? (port {})", options.server, address.port);
}

/// None where the host has more callers than it hears, and there is time to call again.
std::optional<Answer> ask(SocketConnection& link, const Call& call, const DialOptions& options,
                          const Deadline& deadline) {
  try {
    return answer_of(link, options.connect_limit_s);
  } catch (const core::Interrupted&) {
    throw;
  } catch (const core::Error& error) {
    if (link.was_hung_up_on() && deadline.remaining_s() > 0.1) return std::nullopt;
    core::usage_error(fmt::format("{} {}{}", call.address.host, error.what(),
                                  link.is_refused_for_good() ? "" : hint(call.address, options)));
  }
}

std::unique_ptr<SocketConnection> connected_link(const Call& call, const DialOptions& options,
                                                 double limit_s) {
  refuse_strange_addresses(options.key, resolve(call.address), call.address.host);
  Descriptor socket = connect_to(call.address, options.interface, limit_s, hint(call.address, options));
  refuse_strange_addresses(options.key, {peer_of(socket)}, call.address.host);
  return std::make_unique<SocketConnection>(std::move(socket),
                                            Handshake::of_caller(lead_errand(), options.key));
}

Follower reach(const Call& call, const Introduction& mine, const DialOptions& options) {
  const Deadline deadline(options.connect_limit_s);
  while (true) {
    std::unique_ptr<SocketConnection> link = connected_link(call, options, deadline.remaining_s());
    introduce(*link, mine);
    std::optional<Answer> answered = ask(*link, call, options, deadline);
    if (!answered) {
      std::this_thread::sleep_for(hung_up_pause);
      continue;
    }
    Answer& answer = *answered;
    if (!answer.is_refused) {
      const std::string difference = disagreement(mine.hello, answer.introduction.hello);
      if (!difference.empty()) core::usage_error(difference);
      return {std::move(answer.introduction.hello), std::move(link)};
    }
    if (!answer.is_busy) core::usage_error(answer.refusal);
    if (deadline.remaining_s() < 0.2)
      core::usage_error(
          fmt::format("{}; waited {:g} s for it: try again later", answer.refusal, options.connect_limit_s));
    std::this_thread::sleep_for(busy_pause);
  }
}

void place(Call& call, const Introduction& mine, const DialOptions& options) {
  try {
    call.follower = reach(call, mine, options);
  } catch (const std::exception& error) {
    call.failure = error.what();
  }
}

std::vector<Call> calls_to(const std::vector<std::string>& hosts, const DialOptions& options) {
  std::vector<Call> calls;
  std::set<std::pair<std::string, std::uint16_t>> known;
  for (const std::string& host : hosts) {
    Call call;
    call.address = address_from(host, options.port);
    if (!known.emplace(call.address.host, call.address.port).second)
      core::usage_error(fmt::format("{} is named twice; a host takes part once", host));
    calls.push_back(std::move(call));
  }
  if (calls.empty()) core::usage_error("a team needs at least one other host, as in `assay-rdma h1`");
  return calls;
}

/// The first failure in full, the others by name; empty when everybody was reached.
std::string failure_of(const std::vector<Call>& calls) {
  std::string first;
  std::vector<std::string> others;
  for (const Call& call : calls) {
    if (call.failure.empty()) continue;
    if (first.empty())
      first = call.failure;
    else
      others.push_back(call.address.host);
  }
  if (others.empty()) return first;
  return fmt::format("{} (nor could these be used: {})", first, fmt::join(others, ", "));
}

}  // namespace

std::unique_ptr<Team> dial_team(const std::vector<std::string>& hosts, const Hello& mine,
                                const DialOptions& options) {
  std::vector<Call> calls = calls_to(hosts, options);
  warn_where_open(options.key, "the team of this run");
  const Introduction introduction{mine, 0, static_cast<int>(calls.size()) + 1};
  core::at_once(calls.size(), [&](std::size_t at) { place(calls[at], introduction, options); });
  if (const std::string failure = failure_of(calls); !failure.empty()) {
    for (const Call& call : calls)
      if (call.follower) refuse(*call.follower->link, Refusal::final, failure);
    core::usage_error(failure);
  }
  std::vector<Follower> followers;
  for (Call& call : calls) followers.push_back(std::move(*call.follower));
  return lead_star(mine, std::move(followers),
                   {.by = to_text(options.key.source), .secret = options.key.secret});
}

}  // namespace assay::team
