// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A communicator of NCCL at one rank. What NCCL does is asked, never waited for inside NCCL: a call that
// never ends is given up, and the communicator then aborted.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string_view>

#include "collectives/nccl/nccl_way.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/nccl/library.hpp"

namespace assay::collectives {

/// Whether this program's nccl.h has policies.
bool can_set_cta_policy();

/// How long a rank waits, and who may end that before.
struct Patience {
  double limit_s = 60;
  const std::atomic<bool>* given_up = &never_given_up;
};

class Communicator {
 public:
  /// Opens the communicator of all ranks: each calls it at the same time with rank 0's id. It does not block,
  /// so it serves to be split only: NCCL enqueues each operation of a non-blocking one by a thread of its
  /// own, which a measurement would see. `calls` and what `patience` points at must outlive it.
  Communicator(const nccl::Calls& calls, int ranks, int rank, const ncclUniqueId& id,
               const Patience& patience);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  /// Those of this communicator's ranks that are `member`, in the order of `key`; null at the others. Every
  /// rank of this one calls it at the same time; it must outlive what it makes. Operations on the new one
  /// return once they are enqueued.
  std::unique_ptr<Communicator> split(bool member, int key, const NcclWay& way = {});

  ncclComm_t get() const { return comm_; }
  void set_patience(const Patience& patience) { patience_ = patience; }

  /// Asks until `done`. Throws core::Error (nccl) in NCCL's words where the communicator failed meanwhile, or
  /// was given up; TimedOut where the limit has passed. It is then aborted, and good for nothing but
  /// destruction.
  void wait_until(const std::function<bool()>& done, std::string_view doing);
  /// Checks a call on this communicator, as nccl::check() does.
  void check(ncclResult_t status, std::string_view doing,
             std::source_location where = std::source_location::current());

  bool is_broken() const { return broken_; }

 private:
  Communicator(const nccl::Calls& calls, ncclComm_t comm, const Patience& patience)
      : calls_(calls), patience_(patience), comm_(comm) {}
  /// NCCL's work in the background of a communicator that does not block.
  void wait_for_nccl(std::string_view doing);
  void throw_where_it_failed(std::string_view doing);
  void abort();
  [[noreturn]] void give_up(std::string_view doing, double waited_s);

  const nccl::Calls& calls_;
  Patience patience_;
  ncclComm_t comm_ = nullptr;
  /// The communicators that splits make: a thread of NCCL writes here until comm_ is aborted, also after a
  /// split was given up.
  std::deque<ncclComm_t> split_;
  bool broken_ = false;
};

}  // namespace assay::collectives
