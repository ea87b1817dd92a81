// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A back end of this module at one rank: one problem, made ready, run many times.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/content.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

class Runner {
 public:
  virtual ~Runner() = default;

  /// The operation once; every rank calls it. Buffers as shape_of() says.
  virtual void run(std::span<const std::byte> input, std::span<std::byte> output) = 0;

  /// Whether the iterations of a sample run together, timed as one: then run_together() is what is timed.
  virtual bool runs_together() const { return false; }
  /// The operation that many times over, on what load() brought.
  virtual void run_together(std::int64_t) {}

  /// Copies the host's buffers into the memory of a back end that has its own, which run() then uses instead;
  /// fetch() copies back what it wrote.
  virtual void load(std::span<const std::byte> /*input*/, std::span<const std::byte> /*output*/) {}
  virtual void fetch(std::span<std::byte> /*output*/) {}

  /// The algorithm or function that runs, and what it sends.
  virtual std::vector<core::Fact> facts() const = 0;

  /// Bytes that this rank sends to ranks of its node and to others, where that is known.
  struct Tiers {
    std::int64_t inside = 0, across = 0;
  };
  virtual std::optional<Tiers> tiers() const { return std::nullopt; }

  /// Phases of a hierarchical algorithm, the same at every rank; empty elsewhere.
  virtual std::vector<std::string_view> phases() const { return {}; }
  /// The end of each phase in the last run, in seconds from its beginning.
  virtual std::span<const double> phase_ends_s() const { return {}; }
};

/// One of assay's algorithms over the transport, which must outlive it.
std::unique_ptr<Runner> make_assay_runner(const Algorithm& algorithm, const Problem& problem,
                                          const Content& content, Transport& transport);

}  // namespace assay::collectives
