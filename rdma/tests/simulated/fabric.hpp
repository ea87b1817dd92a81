// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// State that all processes of a simulated fabric share, in a file that ASSAY_SIMULATED_FABRIC names: queue
// pairs, memory regions, and how busy each port is. One lock guards it.
#pragma once

#include <infiniband/verbs.h>
#include <pthread.h>
#include <sys/types.h>

#include <array>
#include <cstdint>

#include "rdma/tests/simulated/adapter.hpp"

namespace assay::rdma::simulated {

inline constexpr std::uint32_t most_queue_pairs = 16384, most_regions = 16384, most_work_requests = 256;

template <class Item>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == most_work_requests; }
  Item& front() { return items_[first_]; }
  void push(const Item& item) { items_[(first_ + count_++) % most_work_requests] = item; }
  void pop() {
    first_ = (first_ + 1) % most_work_requests;
    --count_;
  }

 private:
  std::uint32_t first_, count_;
  std::array<Item, most_work_requests> items_;
};

struct Receive {
  std::uint64_t id, address;
  std::uint32_t bytes;
};

struct Completion {
  std::uint64_t id;
  double at_s;
  std::uint32_t bytes;
  ibv_wc_opcode opcode;
  ibv_wc_status status;
};

/// As a peer sees it. All zero is none.
struct SharedQueuePair {
  pid_t owner;                                     // 0: free
  std::uint32_t peer, first_sent, first_expected;  // packet numbers
  bool receives_packets;                           // RTR or RTS
  bool busy;                                       // has messages under way
  int port, leaf;
  double bytes_per_s;
  std::uint64_t bad_message_of;
  double last_arrival_s;
  Ring<Receive> receives;
  Ring<Completion> arrived;
};

struct Region {
  pid_t owner;  // 0: free
  std::uint64_t address, bytes;
  int access;
};

struct Port {
  int sending, receiving;  // busy queue pairs
  std::uint64_t messages, symbol_errors;
};

struct Shared {
  pthread_mutex_t mutex;
  bool begun;
  double latest_s;          // of the clocks of all ranks when they made queue pairs
  std::uint64_t processes;  // that have used it
  std::uint32_t next_pair, next_region;
  std::array<Port, most_ports> ports;
  std::array<Region, most_regions> regions;
  std::array<SharedQueuePair, most_queue_pairs> pairs;
};

/// Holds the lock of the fabric.
class Locked {
 public:
  Locked();
  ~Locked();
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

  Shared* operator->() const { return shared_; }
  Shared& operator*() const { return *shared_; }

 private:
  Shared* shared_;
};

/// The number of this process among those that have used the fabric: it decides its noise.
std::uint64_t process_number();

// A number of a queue pair, and a key of a region, is its place and one.
SharedQueuePair* pair_of(Shared& fabric, std::uint32_t number);
Region* region_of(Shared& fabric, std::uint32_t key);
/// 0: all are in use.
std::uint32_t take_pair(Shared& fabric);
std::uint32_t take_region(Shared& fabric);

/// The time of the last arrival of a write to the queue pair that this rank posted to last.
double last_arrival_s();
void watch_arrivals(std::uint32_t number);

/// Between the memories of two processes of this machine; false where one is gone.
bool copy_to(pid_t process, std::uint64_t to, const void* from, std::uint64_t bytes);
bool copy_from(pid_t process, std::uint64_t from, void* to, std::uint64_t bytes);

}  // namespace assay::rdma::simulated
