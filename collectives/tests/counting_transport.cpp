// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/tests/counting_transport.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::collectives {

void CountingTransport::send(int to, std::span<const std::byte> bytes) {
  under_way_.sends.push_back({to, static_cast<std::int64_t>(bytes.size())});
  beneath_.send(to, bytes);
}

void CountingTransport::receive(int from, std::span<std::byte> bytes) {
  under_way_.receives.push_back({from, static_cast<std::int64_t>(bytes.size())});
  beneath_.receive(from, bytes);
}

void CountingTransport::wait() {
  beneath_.wait();
  log_.push_back(std::exchange(under_way_, {}));
}

std::vector<TransferLog> CountingTransport::take_log() { return std::exchange(log_, {}); }

Traffic sent_in(const std::vector<TransferLog>& log) {
  Traffic all;
  for (const TransferLog& step : log)
    for (const TransferLog::Transfer& send : step.sends) {
      ++all.messages;
      all.bytes += send.bytes;
    }
  return all;
}

namespace {

/// Replays the logs: each rank goes on as far as what it waits for has been sent.
class Replay {
 public:
  explicit Replay(const std::vector<std::vector<TransferLog>>& logs) : logs_(logs), ranks_(logs.size()) {}

  std::int64_t end_of_last() {
    bool moving = true;
    while (std::exchange(moving, false))
      for (std::size_t rank = 0; rank < logs_.size(); ++rank)
        while (advance(rank)) moving = true;
    std::int64_t end = 0;
    for (std::size_t rank = 0; rank < logs_.size(); ++rank) {
      if (ranks_[rank].step < logs_[rank].size())
        throw core::Error(core::ErrorKind::team,
                          "rank " + std::to_string(rank) + " received a message that nobody sent");
      end = std::max(end, ranks_[rank].ended);
    }
    return end;
  }

 private:
  struct Rank {
    std::size_t step = 0;
    bool sent = false;  // the sends of this step are on their way
    std::int64_t ended = 0;
  };
  using Way = std::pair<std::size_t, std::size_t>;  // from, to

  bool advance(std::size_t rank) {
    Rank& at = ranks_[rank];
    if (at.step == logs_[rank].size()) return false;
    const TransferLog& step = logs_[rank][at.step];
    if (!std::exchange(at.sent, true))
      for (const auto& send : step.sends)
        departures_[{rank, static_cast<std::size_t>(send.peer)}].push_back(at.ended);
    std::map<std::size_t, std::size_t> needed;
    for (const auto& receive : step.receives) ++needed[static_cast<std::size_t>(receive.peer)];
    for (const auto& [peer, messages] : needed)
      if (departures_[{peer, rank}].size() < messages) return false;
    std::int64_t begins = at.ended;
    for (const auto& receive : step.receives) {
      auto& departures = departures_[{static_cast<std::size_t>(receive.peer), rank}];
      begins = std::max(begins, departures.front());
      departures.pop_front();
    }
    at = {at.step + 1, false, begins + 1};
    return true;
  }

  const std::vector<std::vector<TransferLog>>& logs_;
  std::vector<Rank> ranks_;
  std::map<Way, std::deque<std::int64_t>> departures_;
};

}  // namespace

std::int64_t longest_chain(const std::vector<std::vector<TransferLog>>& logs) {
  return Replay(logs).end_of_last();
}

}  // namespace assay::collectives
