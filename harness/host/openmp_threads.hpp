// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The number of OpenMP threads of the calling thread, while an object lives.
#pragma once

#include "harness/host/openmp_calls.hpp"

namespace assay::host {

class OpenMpThreads {
 public:
  explicit OpenMpThreads(int threads) { omp_set_num_threads(threads); }
  ~OpenMpThreads() { omp_set_num_threads(before_); }
  OpenMpThreads(const OpenMpThreads&) = delete;
  OpenMpThreads& operator=(const OpenMpThreads&) = delete;

 private:
  int before_ = omp_get_max_threads();
};

}  // namespace assay::host
