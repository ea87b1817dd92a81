// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process: a message is one copy, made by the receiver out of the sender's
// memory once both have come.
#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>

#include "collectives/transport/transport.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

/// Bytes that a sender has put up for a receiver; gone from the queue once copied.
struct Offer {
  std::span<const std::byte> bytes;
};

/// One rank's place: offers to it by sender, and how many of its own have not been taken yet.
struct Mailbox {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::deque<Offer>> from;
  std::vector<int> untaken;  // of this rank's offers, by receiver
};

using Mailboxes = std::vector<Mailbox>;

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(std::shared_ptr<Mailboxes> all, int rank, double limit_s)
      : all_(std::move(all)), own_(box(rank)), rank_(rank), limit_s_(limit_s) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(all_->size()); }

  void send(int to, std::span<const std::byte> bytes) override {
    {
      const std::lock_guard lock(own_.mutex);
      ++own_.untaken[static_cast<std::size_t>(to)];
    }
    Mailbox& peer = box(to);
    {
      const std::lock_guard lock(peer.mutex);
      peer.from[static_cast<std::size_t>(rank_)].push_back({bytes});
    }
    peer.changed.notify_all();
  }

  void receive(int from, std::span<std::byte> bytes) override { receives_.push_back({from, bytes}); }

  void wait() override {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(limit_s_);
    for (const Pending& pending : receives_) take(pending, deadline);
    receives_.clear();
    std::unique_lock lock(own_.mutex);
    for (int to = 0; to < size(); ++to) {
      const int& untaken = own_.untaken[static_cast<std::size_t>(to)];
      if (!own_.changed.wait_until(lock, deadline, [&] { return untaken == 0; }))
        late(to, "take a message of");
    }
  }

 private:
  struct Pending {
    int from;
    std::span<std::byte> into;
  };

  Mailbox& box(int rank) { return (*all_)[static_cast<std::size_t>(rank)]; }

  template <class Deadline>
  void take(const Pending& pending, Deadline deadline) {
    std::deque<Offer>& offers = own_.from[static_cast<std::size_t>(pending.from)];
    std::unique_lock lock(own_.mutex);
    if (!own_.changed.wait_until(lock, deadline, [&] { return !offers.empty(); }))
      late(pending.from, "send a message to");
    const Offer offer = offers.front();
    offers.pop_front();
    lock.unlock();
    if (offer.bytes.size() != pending.into.size()) mismatch(pending, offer);
    if (!offer.bytes.empty()) std::memcpy(pending.into.data(), offer.bytes.data(), offer.bytes.size());
    Mailbox& sender = box(pending.from);
    {
      const std::lock_guard taken(sender.mutex);
      --sender.untaken[static_cast<std::size_t>(rank_)];
    }
    sender.changed.notify_all();
  }

  [[noreturn]] void late(int peer, const char* what) const {
    throw core::Error(core::ErrorKind::team,
                      fmt::format("rank {} did not {} rank {} within {} s", peer, what, rank_, limit_s_));
  }
  [[noreturn]] void mismatch(const Pending& pending, const Offer& offer) const {
    throw core::Error(core::ErrorKind::team,
                      fmt::format("rank {} sent {} bytes where rank {} expected {}", pending.from,
                                  offer.bytes.size(), rank_, pending.into.size()));
  }

  std::shared_ptr<Mailboxes> all_;
  Mailbox& own_;
  int rank_;
  double limit_s_;
  std::vector<Pending> receives_;
};

}  // namespace

std::vector<std::unique_ptr<Transport>> make_thread_transports(int n, double limit_s) {
  const auto ranks = static_cast<std::size_t>(n);
  auto all = std::make_shared<Mailboxes>(ranks);
  for (Mailbox& mailbox : *all) {
    mailbox.from.resize(ranks);
    mailbox.untaken.resize(ranks);
  }
  std::vector<std::unique_ptr<Transport>> transports;
  for (int rank = 0; rank < n; ++rank)
    transports.push_back(std::make_unique<ThreadTransport>(all, rank, limit_s));
  return transports;
}

}  // namespace assay::collectives
