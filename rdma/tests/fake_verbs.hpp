// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Stands in for libibverbs at link time: devices that a test describes, queue pairs that really move bytes
// between this process' memory regions, and failures where a test wants them.
#pragma once

#include <infiniband/verbs.h>

#include <memory>
#include <string>
#include <vector>

namespace assay::rdma::fake {

/// "10.0.0.1" mapped into IPv6, as RoCE does it, or an IPv6 address.
ibv_gid gid_of(const std::string& address);

struct GidEntry {
  ibv_gid gid{};  // all zero: an entry not in use
  std::uint32_t type = IBV_GID_TYPE_ROCE_V2;
};

struct Port {
  ibv_port_state state = IBV_PORT_ACTIVE;
  std::uint8_t link_layer = IBV_LINK_LAYER_ETHERNET;
  ibv_mtu active_mtu = IBV_MTU_4096;
  std::uint16_t lid = 0;
  std::vector<GidEntry> gids = {{gid_of("fe80::1")}, {gid_of("10.0.0.1")}};
};

struct DeviceSpec {
  std::string name = "mlx5_0";
  std::vector<Port> ports = {Port{}};
  int max_qp_wr = 1024, max_cqe = 65536, max_qp = 64;
  int max_read_requests = 16;  // outstanding, of a queue pair, each way
  std::uint32_t max_message_bytes = 1 << 30;
  int max_inline_bytes = 256;
};

/// One call of ibv_modify_qp.
struct Transition {
  std::uint32_t queue_pair = 0;
  ibv_qp_type type = IBV_QPT_RC;
  ibv_qp_attr attributes{};
  int mask = 0;
};

/// The calling thread's calls are those of this rank from now on.
void this_thread_is(int rank);

struct World;

/// While it lives, libibverbs is this. One at a time.
class FakeVerbs {
 public:
  FakeVerbs();
  explicit FakeVerbs(const DeviceSpec& device) : FakeVerbs(std::vector{device}) {}
  explicit FakeVerbs(std::vector<DeviceSpec> devices);
  ~FakeVerbs();
  FakeVerbs(const FakeVerbs&) = delete;
  FakeVerbs& operator=(const FakeVerbs&) = delete;

  /// The n-th call from now (1: the next) of `function` returns or sets `error`. "" as function: of all that
  /// can fail but ibv_poll_cq, whose number depends on timing. `rank` -1: whoever calls.
  void fail(const std::string& function, int nth, int error, int rank = -1);
  /// "ibv_create_qp" once the planned failure has come, else empty.
  std::string failed() const;
  int calls(const std::string& function) const;

  /// The objects that were made and not destroyed: "ibv_mr: 1, ibv_pd: 1". Empty where nothing is left.
  std::string left_over() const;
  /// Misuses seen, which no program may commit: an object destroyed before those that need it, an overrun
  /// queue.
  std::vector<std::string> misuse() const;
  std::vector<Transition> transitions() const;

  /// The n-th message from now is lost on its way although the sender sees it complete.
  void lose_message(int nth);
  /// All messages from now on arrive with their byte `at` inverted.
  void spoil_messages(std::size_t at);
  /// Completions of sends wait until they are let through, the oldest first.
  void hold_completions(bool hold);
  void let_complete(int count);
  /// Opcodes, flags and scatter elements of all work requests posted, in order.
  struct Posted {
    ibv_send_wr request{};
    ibv_sge piece{};
    int call = 0;  // work requests of one ibv_post_send share it
  };
  std::vector<Posted> posted() const;
  /// All contexts of the device get this event.
  void raise(ibv_event_type event);
  /// How long a message waits for a receive before the retries are exhausted.
  void set_receiver_not_ready_limit(double seconds);
  /// Ends what a killed peer would: that queue pair answers no more.
  void silence(std::uint32_t queue_pair);

 private:
  std::unique_ptr<World> world_;
};

}  // namespace assay::rdma::fake
