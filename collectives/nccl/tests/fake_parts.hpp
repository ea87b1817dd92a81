// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Private to the fake: where its ranks meet, and what it notes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collectives/nccl/tests/fake_nccl.hpp"

namespace assay::collectives {

using Bytes = std::vector<std::byte>;

/// State that the ranks of a communicator share.
struct Meeting {
  explicit Meeting(int ranks) : size(ranks) {}

  /// One collective: what each rank calls and brings.
  struct Round {
    std::map<int, std::pair<std::string, Bytes>> brought;
    int left = 0;
  };
  struct Split {
    std::map<int, std::pair<int, int>> wishes;  // rank -> color, key
    std::map<int, std::shared_ptr<Meeting>> made;
  };

  const int size;
  std::mutex mutex;
  std::condition_variable changed;
  int joined = 0;
  std::map<std::int64_t, Round> rounds;
  std::map<std::pair<int, int>, std::deque<Bytes>> messages;  // from, to
  std::map<int, Split> splits;
};

}  // namespace assay::collectives

struct ncclComm {
  std::shared_ptr<assay::collectives::Meeting> meeting;
  int rank = 0;
  bool is_child = false;
  std::int64_t rounds = 0;
  int splits = 0;
  ncclComm_t* wanted = nullptr;  // the child that a split under way is to make
};

namespace assay::collectives {

/// Enqueues work on a stream; defined by the program that links the fake, which decides what its streams are.
void queue_on(cudaStream_t stream, std::function<void()> work);

/// Notes the call and returns the failure that was planned for it, else success.
ncclResult_t called(const char* function);

void add_communicators(nccl::Calls& calls);
void add_operations(nccl::Calls& calls, bool complete);

}  // namespace assay::collectives
