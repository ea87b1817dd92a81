// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The twin of memory/cuda/cuda_bulk_instructions.cuh on a simulated GPU. Everything happens as late as it
// may: a stage holds rubbish from the moment that it is loaded to until its barrier is asked, and is read by
// a store when the store is waited for.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>

namespace assay::memory {

constexpr bool has_bulk_copies = true;

struct BulkEngine {
  struct Load {
    unsigned char* stage;
    const void* source;
    std::uint32_t bytes;
  };
  struct Store {
    void* target;
    const unsigned char* stage;
    std::uint32_t bytes;
  };
  std::map<std::uint64_t*, Load> loads;  // under way, by barrier
  std::deque<Store> stores;              // under way, oldest first

  void finish_stores_but(std::size_t newest) {
    for (; stores.size() > newest; stores.pop_front())
      std::memcpy(stores.front().target, stores.front().stage, stores.front().bytes);
  }
};

inline BulkEngine& bulk_engine() {
  thread_local BulkEngine engine;
  return engine;
}

// A barrier's word counts its complete phases.
inline void init_barrier(std::uint64_t* barrier) { *barrier = 0; }
inline void publish_barriers() {}

inline void load_async(unsigned char* stage, const void* source, std::uint32_t bytes,
                       std::uint64_t* barrier) {
  std::memset(stage, 0xee, bytes);
  bulk_engine().loads[barrier] = {stage, source, bytes};
}

inline bool phase_is_complete(std::uint64_t* barrier, std::uint32_t parity) {
  auto& loads = bulk_engine().loads;
  if (const auto load = loads.find(barrier); load != loads.end()) {
    std::memcpy(load->second.stage, load->second.source, load->second.bytes);
    loads.erase(load);
    ++*barrier;
  }
  return *barrier % 2 != parity;
}

inline void store_async(void* target, const unsigned char* stage, std::uint32_t bytes) {
  bulk_engine().stores.push_back({target, stage, bytes});
}
inline void wait_until_read_but_newest() { bulk_engine().finish_stores_but(1); }
inline void wait_until_stored() { bulk_engine().finish_stores_but(0); }

}  // namespace assay::memory
