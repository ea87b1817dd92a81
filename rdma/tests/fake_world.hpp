// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The state behind the fake of libibverbs. Everything is under one mutex; work requests are carried out when
// they are posted.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "rdma/tests/fake_verbs.hpp"

namespace assay::rdma::fake {

using Clock = std::chrono::steady_clock;

struct QueuePair;

struct Completion {
  ibv_wc wc{};
  QueuePair* frees = nullptr;  // whose send queue has `slots` more space once this is polled
  int slots = 0;
};

struct Channel : ibv_comp_channel {
  int write_end = -1;
};

struct Queue : ibv_cq {
  std::deque<Completion> ready;
  bool armed = false;
  int unacknowledged = 0;
};

struct Context : ibv_context {
  const DeviceSpec* spec = nullptr;
  int event_write_end = -1;
};

struct Region : ibv_mr {
  int access = 0;
};

struct AddressHandle : ibv_ah {
  ibv_ah_attr attributes{};
};

struct SendRequest {
  ibv_send_wr wr{};
  ibv_sge piece{};
  std::vector<std::byte> inlined;
};

struct QueuePair : ibv_qp {
  ibv_qp_cap cap{};
  ibv_qp_attr attributes{};  // all that ibv_modify_qp has set
  std::deque<SendRequest> sends;
  std::deque<std::pair<std::uint64_t, ibv_sge>> receives;
  int send_slots_used = 0, unreported = 0;
  std::optional<Clock::time_point> waits_since;  // for the peer's receive
  bool silent = false;
};

struct PlannedFailure {
  std::string function;
  int left = 0, error = 0, rank = -1;
};

struct World {
  explicit World(std::vector<DeviceSpec> specs);
  ~World();

  /// Counts the call; the errno it must fail with, or 0.
  int enter(const char* function);
  void made(const char* kind) { ++alive[kind]; }
  void gone(const char* kind) { --alive[kind]; }
  void blame(const std::string& what) { misuse.push_back(what); }

  // Work requests
  int post(QueuePair& qp, const ibv_send_wr& request);
  int post(QueuePair& qp, const ibv_recv_wr& request);
  void run(QueuePair& qp);
  void fail(QueuePair& qp);
  void run_waiting();
  void deliver(Queue& queue, const Completion& completion);

  std::mutex mutex;
  std::deque<DeviceSpec> specs;
  std::deque<ibv_device> devices;
  std::map<std::string, int> alive, calls;
  std::vector<std::string> misuse;
  std::vector<Transition> transitions;
  std::optional<PlannedFailure> planned;
  std::string failed;
  std::vector<FakeVerbs::Posted> posted;

  std::map<std::uint32_t, QueuePair*> queue_pairs;
  std::map<std::uint32_t, Region*> regions;  // by key, local and remote
  std::set<Context*> contexts;
  std::uint32_t next_number = 0x11, next_key = 0x1000;
  int lose_in = 0, post_calls = 0;
  std::optional<std::size_t> spoiled_byte;
  bool holding = false;
  std::deque<std::pair<Queue*, Completion>> held;
  std::chrono::duration<double> receiver_not_ready_limit{5};

 private:
  enum class Outcome { done, waits };
  Outcome carry_out(QueuePair& qp, SendRequest& request, ibv_wc_status& status);
  Outcome hand_over(QueuePair& qp, QueuePair& peer, SendRequest& request, ibv_wc_status& status);
  ibv_wc_status reach_memory(QueuePair& qp, QueuePair& peer, SendRequest& request);
  QueuePair* peer_of(const QueuePair& qp, const SendRequest& request);
  bool known(const ibv_gid& gid) const;
  Region* region_of(std::uint32_t key, std::uint64_t address, std::size_t bytes, int access);
  void complete_send(QueuePair& qp, const SendRequest& request, ibv_wc_status status);
  void complete_receive(QueuePair& qp, ibv_wc_opcode opcode, std::uint32_t bytes, ibv_wc_status status);
  void move(std::uint64_t to, const void* from, std::size_t bytes);
};

/// The world of the living FakeVerbs; fails the process where there is none.
World& world();

}  // namespace assay::rdma::fake
