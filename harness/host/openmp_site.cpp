// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/host/openmp_site.hpp"

#include <fmt/core.h>
#include <hwloc.h>
#include <sched.h>

#include <cerrno>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/host/openmp_calls.hpp"
#include "harness/host/topology.hpp"

namespace assay::host {

struct OpenMpSite::Before {
  Bitmap binding{hwloc_bitmap_alloc()};
  int default_threads = omp_get_max_threads();
  int dynamic = omp_get_dynamic();
};

OpenMpSite::OpenMpSite(std::vector<int> cpus) : cpus_(std::move(cpus)), before_(std::make_unique<Before>()) {
  hwloc_get_cpubind(topology().hwloc.get(), before_->binding.get(), HWLOC_CPUBIND_THREAD);
  omp_set_dynamic(0);
  omp_set_num_threads(threads());
  int refused = -1, reason = 0;
#pragma omp parallel num_threads(threads())
  {
    const int cpu = cpus_[static_cast<std::size_t>(omp_get_thread_num())];
    const Bitmap one(hwloc_bitmap_alloc());
    hwloc_bitmap_only(one.get(), static_cast<unsigned>(cpu));
    if (hwloc_set_cpubind(topology().hwloc.get(), one.get(), HWLOC_CPUBIND_THREAD) != 0) {
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
  hwloc_set_cpubind(topology().hwloc.get(), before_->binding.get(), HWLOC_CPUBIND_THREAD);
  omp_set_num_threads(before_->default_threads);
  omp_set_dynamic(before_->dynamic);
}

std::vector<int> OpenMpSite::where() const {
  std::vector<int> at(cpus_.size(), -1);
#pragma omp parallel num_threads(threads())
  at[static_cast<std::size_t>(omp_get_thread_num())] = sched_getcpu();
  return at;
}

}  // namespace assay::host
