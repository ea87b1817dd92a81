// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/mpi/mpi_connection.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {
namespace {

constexpr const char* farewell = "";  // a message without even a type
constexpr double farewell_s = 0.5;

}  // namespace

MpiSession::MpiSession(const MpiCalls& calls) : calls_(calls) {
  if (const int code = calls_.start(&rank_, &size_))
    throw core::Error(core::ErrorKind::mpi, fmt::format("start MPI: {}", in_words(code)), code);
}

MpiSession::~MpiSession() {
  if (!unfinished_) calls_.finish();
}

std::string MpiSession::in_words(int code) const {
  std::array<char, 256> text{};
  calls_.describe(code, text.data(), static_cast<int>(text.size()));
  return text.data();
}

MpiConnection::~MpiConnection() {
  // A team that an exception takes down has no time for ranks that do not come.
  if (std::uncaught_exceptions() > 0) session_->leave_unfinished();
  if (why_closed_.empty()) send_bytes(farewell);
  wait_until_sent(farewell_s);
  if (sending_.empty() && !receiving_) return;
  session_->leave_unfinished();
  // MPI may still touch these.
  static_cast<void>(new std::list<Transfer>(std::move(sending_)));
  static_cast<void>(receiving_.release());
}

void MpiConnection::send(Frame frame) {
  if (frame.payload.size() > frame_limit_bytes)
    throw core::Error(
        core::ErrorKind::team,
        fmt::format("a text of {} bytes is over the limit of {} bytes for one message of a team",
                    frame.payload.size(), frame_limit_bytes));
  send_bytes(static_cast<char>(frame.type) + frame.payload);
}

void MpiConnection::send_last(Frame frame, double limit_s) {
  session_->leave_unfinished();
  send_bytes(static_cast<char>(frame.type) + frame.payload);
  wait_until_sent(limit_s);
}

void MpiConnection::progress() {
  progress_sends();
  progress_receives();
}

std::optional<Frame> MpiConnection::receive() {
  if (in_.empty()) return std::nullopt;
  Frame frame = std::move(in_.front());
  in_.pop_front();
  return frame;
}

void MpiConnection::send_bytes(std::string bytes) {
  Transfer& transfer = sending_.emplace_back(Transfer{std::move(bytes), nullptr});
  const int code = session_->calls().send(transfer.bytes.data(), static_cast<int>(transfer.bytes.size()),
                                          peer_, &transfer.request);
  if (code != 0) close_because("cannot be reached any more: " + session_->in_words(code));
  progress_sends();
}

void MpiConnection::progress_sends() {
  std::erase_if(sending_, [&](Transfer& transfer) { return is_done(transfer); });
}

void MpiConnection::progress_receives() {
  while (why_closed_.empty()) {
    if (!receiving_) {
      int count = 0;
      void* message = nullptr;
      const int code = session_->calls().probe(peer_, &count, &message);
      if (code != 0) return close_because("cannot be reached any more: " + session_->in_words(code));
      if (message == nullptr) return;
      receiving_ = std::make_unique<Transfer>();
      receiving_->bytes.resize(static_cast<std::size_t>(count));
      session_->calls().receive(receiving_->bytes.data(), count, message, &receiving_->request);
    }
    if (!is_done(*receiving_)) return;
    take(std::move(std::exchange(receiving_, nullptr)->bytes));
  }
}

bool MpiConnection::is_done(Transfer& transfer) {
  int done = 0;
  const int code = session_->calls().test(transfer.request, &done);
  if (code != 0) close_because("cannot be reached any more: " + session_->in_words(code));
  return done != 0;
}

void MpiConnection::take(std::string bytes) {
  if (bytes.empty()) return close_because("closed the connection: its process ended");
  in_.push_back({static_cast<FrameType>(bytes[0]), bytes.substr(1)});
}

void MpiConnection::wait_until_sent(double limit_s) {
  const Deadline deadline(limit_s);
  progress_sends();
  while (!sending_.empty() && !deadline.passed()) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    progress_sends();
  }
}

void MpiConnection::close_because(const std::string& why) {
  if (why_closed_.empty()) why_closed_ = why;
}

}  // namespace assay::team
