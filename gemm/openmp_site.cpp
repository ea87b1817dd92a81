// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/openmp_site.hpp"

#include <fmt/core.h>
#include <hwloc.h>
#include <sched.h>

#include <cerrno>
#include <utility>

#include "gemm/openmp_calls.hpp"
#include "harness/core/error.hpp"
#include "harness/core/handle.hpp"

namespace assay::gemm {
namespace {

using Topology = core::Handle<hwloc_topology_t, hwloc_topology_destroy>;
using CpuSet = core::Handle<hwloc_bitmap_t, hwloc_bitmap_free>;

Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw core::Error(core::ErrorKind::system, "hwloc cannot start", errno);
  Topology loaded(raw);
  // Binding needs CPU numbers only: no objects beyond the CPUs are looked for.
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(raw) != 0)
    throw core::Error(core::ErrorKind::system, "hwloc cannot load this machine", errno);
  return loaded;
}

/// Loaded once per process: it takes tens of milliseconds, and CPU numbers do not change.
hwloc_topology_t topology() {
  static const Topology once = load_topology();
  return once.get();
}

}  // namespace

struct OpenMpSite::Before {
  CpuSet binding{hwloc_bitmap_alloc()};
  int default_threads = omp_get_max_threads();
  int dynamic = omp_get_dynamic();
};

OpenMpSite::OpenMpSite(std::vector<int> cpus) : cpus_(std::move(cpus)), before_(std::make_unique<Before>()) {
  hwloc_get_cpubind(topology(), before_->binding.get(), HWLOC_CPUBIND_THREAD);
  omp_set_dynamic(0);
  omp_set_num_threads(threads());
  int refused = -1, reason = 0;
#pragma omp parallel num_threads(threads())
  {
    const int cpu = cpus_[static_cast<std::size_t>(omp_get_thread_num())];
    const CpuSet one(hwloc_bitmap_alloc());
    hwloc_bitmap_only(one.get(), static_cast<unsigned>(cpu));
    if (hwloc_set_cpubind(topology(), one.get(), HWLOC_CPUBIND_THREAD) != 0) {
#pragma omp critical
      {
        refused = cpu;
        reason = errno;
      }
    }
  }
  if (refused >= 0)
    throw core::Error(core::ErrorKind::system,
                      fmt::format("an OpenMP thread cannot be bound to CPU {}", refused), reason);
}

OpenMpSite::~OpenMpSite() {
  hwloc_set_cpubind(topology(), before_->binding.get(), HWLOC_CPUBIND_THREAD);
  omp_set_num_threads(before_->default_threads);
  omp_set_dynamic(before_->dynamic);
}

std::vector<int> OpenMpSite::where() const {
  std::vector<int> at(cpus_.size(), -1);
#pragma omp parallel num_threads(threads())
  at[static_cast<std::size_t>(omp_get_thread_num())] = sched_getcpu();
  return at;
}

}  // namespace assay::gemm
