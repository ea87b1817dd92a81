// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host memory bandwidth: one streaming kernel over arrays that each thread first touched itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/host/host_placement.hpp"
#include "memory/host/stream_kernels.hpp"

namespace assay::memory {

/// How a footprint is divided: a region per thread, one slice of every array in it. Regions begin on a page
/// of their own, so that no page is shared between threads.
struct StreamLayout {
  StreamLayout(const Kernel& kernel, std::int64_t footprint_bytes, std::int64_t thread_count);
  std::size_t arrays, threads;
  std::size_t slice;          // elements of one array that one thread works on; a multiple of `block`
  std::size_t array_stride;   // bytes from one slice to the next within a region
  std::size_t region_stride;  // bytes from one thread's region to the next
  std::size_t elements() const { return slice * threads; }  // of one array
  std::size_t footprint() const { return elements() * arrays * sizeof(double); }
};

/// Value of the axis `isa`: each instruction set is measured; the widest that no other clearly beats runs.
inline constexpr const char* fastest_isa = "best";

/// `bytes` are those of all arrays together.
struct StreamSettings : HostSettings {
  Store store = Store::temporal;
  std::string isa = fastest_isa;
  StreamLayout layout(const Kernel& kernel) const { return {kernel, bytes, place.threads}; }
};

class Stream {
 public:
  using Site = host::HostSite;
  using Settings = StreamSettings;
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  static std::vector<core::Axis> axes(const Kernel& kernel, const machine::Machine& machine);
  static Settings settings(const core::Point& point);
  static core::Work work(const Kernel& kernel, const Settings& settings);
  static std::optional<std::string> unsupported(const Kernel& kernel, const Settings& settings,
                                                const machine::Machine& machine);

  /// Throws Error. The processor executes `settings.isa` (unsupported()).
  Stream(const Kernel& kernel, const Settings& settings, host::HostSite& site);

  /// Each thread runs the kernel over its slice `iterations` times, without meeting the others in between.
  double enqueue(std::int64_t iterations);
  core::Verification check();
  std::vector<core::Fact> facts() const;

  /// One thread's slice of the array the kernel writes (or, for read, reads).
  std::span<double> result(int rank);

 private:
  struct Difference {
    std::size_t count = 0;
    std::string first = {};
  };
  struct alignas(64) Sum {
    double expected = 0;     // 0 for kernels that store, whose loop returns 0
    std::int64_t wrong = 0;  // rounds that returned something else
  };

  void use(const InstructionSet& instructions);
  const InstructionSet& fastest();
  double* slice(int rank, std::size_t array);
  Operands operands(int rank);
  void first_touch(int rank);
  void unwrite(int rank);
  double first_written(int rank, std::int64_t round) const;
  double expected(int rank, std::size_t i) const;
  Difference compare(int rank);

  const Kernel& kernel_;
  Store store_;
  StreamLayout layout_;
  host::HostSite& site_;
  host::Arena arena_;
  const InstructionSet* instructions_ = nullptr;
  Loop loop_ = nullptr;
  std::int64_t rounds_ = 0;  // write stores i + round, so that every round stores something else
  std::vector<Sum> sums_;    // by rank
};

/// One row of the kernel table as a benchmark class.
template <Formula formula>
class StreamOf : public Stream {
 public:
  static constexpr const Kernel& kernel = kernels[static_cast<std::size_t>(formula)];
  static std::string name(const machine::Machine&) { return "memory.host." + std::string(kernel.name); }
  static std::string measures(const machine::Machine&) {
    return "host memory: " + std::string(kernel.measures) + " (" + std::string(kernel.text) + ")";
  }
  static std::vector<core::Axis> axes(const machine::Machine& machine) {
    return Stream::axes(kernel, machine);
  }
  static core::Work work(const Settings& settings) { return Stream::work(kernel, settings); }
  static std::vector<core::Fact> derived(const Settings& settings, const machine::Machine& machine) {
    return {{core::names::cache_state,
             cache_state(machine, static_cast<std::int64_t>(settings.layout(kernel).footprint()))}};
  }
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine) {
    return Stream::unsupported(kernel, settings, machine);
  }
  StreamOf(const Settings& settings, host::HostSite& site) : Stream(kernel, settings, site) {}
};

/// read, write, copy, scale, add, triad.
std::vector<core::Case> stream_cases(const machine::Machine& machine);

}  // namespace assay::memory
