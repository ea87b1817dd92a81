// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The site of a host GEMM: the OpenMP threads that the library will use, each bound to one CPU by hwloc.
#pragma once

#include <memory>
#include <vector>

namespace assay::host {

class OpenMpSite {
 public:
  /// Makes a team of cpus.size() threads, binds thread i to cpus[i], and makes that team size the default of
  /// this thread's parallel regions. Libraries called from this thread find the bound team. The calling
  /// thread is bound too; destruction gives back its binding and the default. Throws core::Error(system) when
  /// a binding is refused.
  explicit OpenMpSite(std::vector<int> cpus);
  ~OpenMpSite();
  OpenMpSite(const OpenMpSite&) = delete;
  OpenMpSite& operator=(const OpenMpSite&) = delete;

  int threads() const { return static_cast<int>(cpus_.size()); }
  const std::vector<int>& cpus() const { return cpus_; }
  /// The CPU each thread of the team is on now.
  std::vector<int> where() const;

 private:
  struct Before;
  std::vector<int> cpus_;
  std::unique_ptr<Before> before_;
};

}  // namespace assay::host
