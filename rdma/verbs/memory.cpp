// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "harness/core/error.hpp"
#include "harness/host/arena.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
namespace {

/// Advice on what commonly keeps memory from being registered, where this process' limits show it.
std::string registration_advice(std::size_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= bytes)
    return {};
  return fmt::format(" (the limit of locked memory is {} KiB: raise it, `ulimit -l unlimited`)",
                     limit.rlim_cur / 1024);
}

class HostMemory final : public Memory {
 public:
  HostMemory(std::size_t bytes, int node, host::Pages pages) : arena_(bytes, node, pages), node_(node) {
    std::memset(arena_.data(), 0, bytes);  // first touch
  }

  std::byte* address() const override { return arena_.data(); }
  std::size_t bytes() const override { return arena_.size(); }
  bool host_readable() const override { return true; }

  MemoryRegionHandle register_with(ibv_pd* domain) const override {
    ibv_mr* region = ibv_reg_mr(domain, arena_.data(), arena_.size(), region_access);
    if (region == nullptr)
      throw_verbs(errno, fmt::format("register {} bytes of host memory{}", arena_.size(),
                                     registration_advice(arena_.size())));
    return MemoryRegionHandle(region);
  }

  void write(std::size_t offset, std::span<const std::byte> from) override {
    std::ranges::copy(from, arena_.data() + offset);
  }
  void read(std::size_t offset, std::span<std::byte> into) const override {
    std::copy_n(arena_.data() + offset, into.size(), into.data());
  }
  std::vector<core::Fact> facts() const override {
    return {{"memory_bytes", static_cast<std::int64_t>(arena_.size())},
            {"memory_numa_node", std::int64_t{node_}},
            {"huge_page_bytes", arena_.huge_page_bytes()}};
  }

 private:
  host::Arena arena_;
  int node_;
};

}  // namespace

std::unique_ptr<Memory> make_memory(const std::string& kind, std::size_t bytes, int node, int gpu) {
  if (kind == "host") return std::make_unique<HostMemory>(bytes, node, host::Pages::base);
  if (kind == "huge") return std::make_unique<HostMemory>(bytes, node, host::Pages::transparent);
  return make_cuda_memory(kind == "cuda_dmabuf", bytes, gpu);
}

}  // namespace assay::rdma
