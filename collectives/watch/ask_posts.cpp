// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/ask_posts.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/descriptor.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/wire/address.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/socket_connection.hpp"

namespace assay::collectives {
namespace {

constexpr const char* has_ended = "does not answer: its process has ended";
constexpr const char* is_stopped = "does not answer: its process is stopped, or its host hangs";

std::string dialled(const std::string& host) {
  return host == team::hello_of_this_host().host ? "127.0.0.1" : host;
}

/// One conversation: connect, prove who one is, say a word, take the answer.
class Call {
 public:
  Call(const PostPlace& place, const std::string& word) : place_(place), word_(word) { begin(); }

  bool over() const { return over_; }
  pollfd awaited() const {
    if (!link_) return {socket_.get(), POLLOUT, 0};
    return {link_->descriptor(), static_cast<short>(POLLIN | (link_->wants_to_write() ? POLLOUT : 0)), 0};
  }
  PostAnswer answer() const {
    if (over_ && !answer_.text.empty()) return {answer_.text, {}};
    return {{}, answer_.silent.empty() ? is_stopped : answer_.silent};
  }

  void go_on() {
    if (!link_) return say();
    link_->progress();
    if (std::optional<team::Frame> frame = link_->receive()) {
      answer_.text = std::move(frame->payload);
      return end({});
    }
    if (link_->was_hung_up_on()) return begin();  // strangers call there, too; a process that ended refuses
    if (!link_->why_closed().empty()) end(has_ended);
  }

 private:
  void begin() {
    link_.reset();
    try {
      const auto addresses = team::resolve({dialled(place_.host), place_.port});
      socket_ = core::Descriptor(
          ::socket(addresses.front().family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      if (connect(socket_.get(), addresses.front().get(), addresses.front().length) != 0 &&
          errno != EINPROGRESS)
        end(errno == ECONNREFUSED ? has_ended : fmt::format("cannot be asked: {}", std::strerror(errno)));
    } catch (const core::Error& error) {
      end(fmt::format("cannot be asked: {}", error.what()));
    }
  }

  void say() {
    int code = 0;
    socklen_t size = sizeof code;
    getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &code, &size);
    if (code == ECONNRESET) return begin();
    if (code != 0) return end(code == ECONNREFUSED ? has_ended : is_stopped);
    link_ = std::make_unique<team::SocketConnection>(
        std::move(socket_), team::Handshake::of_caller(post_errand(), post_key(place_)));
    link_->send({team::FrameType::gather, word_});
  }
  void end(const std::string& why_silent) {
    over_ = true;
    if (answer_.text.empty()) answer_.silent = why_silent;
    socket_.reset();
    link_.reset();
  }

  PostPlace place_;
  std::string word_;
  core::Descriptor socket_;  // until it is connected
  std::unique_ptr<team::SocketConnection> link_;
  bool over_ = false;
  PostAnswer answer_;
};

void go_on_until_all_are_over(std::vector<Call>& calls, double limit_s) {
  const team::Deadline deadline(limit_s);
  for (;;) {
    std::vector<pollfd> waiting;
    std::vector<Call*> open;
    for (Call& call : calls) {
      if (call.over()) continue;
      open.push_back(&call);
      waiting.push_back(call.awaited());
    }
    if (open.empty() || deadline.passed()) return;
    if (poll(waiting.data(), waiting.size(), static_cast<int>(std::ceil(deadline.remaining_s() * 1e3))) <= 0)
      continue;
    for (std::size_t i = 0; i < open.size(); ++i)
      if (waiting[i].revents != 0) open[i]->go_on();
  }
}

}  // namespace

std::vector<PostAnswer> ask_posts(const std::vector<PostPlace>& places, const std::string& word,
                                  double limit_s) {
  std::vector<Call> calls;
  for (const PostPlace& place : places) calls.emplace_back(place, word);
  go_on_until_all_are_over(calls, limit_s);
  std::vector<PostAnswer> answers;
  for (const Call& call : calls) answers.push_back(call.answer());
  return answers;
}

}  // namespace assay::collectives
