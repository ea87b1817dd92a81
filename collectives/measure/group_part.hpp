// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank's part in one group's collective: buffers, back end, and the time of every iteration on this rank.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectives/content.hpp"
#include "collectives/measure/arrivals.hpp"
#include "collectives/measure/runner.hpp"
#include "collectives/transport/executor.hpp"
#include "collectives/watch/flight_ring.hpp"
#include "harness/core/files/handle.hpp"
#include "harness/core/measure/benchmark.hpp"

namespace assay::collectives {

/// The step between one iteration and the next; never timed.
enum class Between { nothing, barrier };

/// How far a rank's clock is from rank 0's, so that arrival times of different hosts can be compared.
struct ClockOffset {
  double seconds = 0;        // to subtract from this rank's clock
  double uncertainty_s = 0;  // half of the shortest round trip
};

/// Every rank calls it: rank 0 exchanges a few messages with each rank in turn and takes the fastest
/// (Cristian 1989). An offset within its own uncertainty is taken for none: ranks of one host share a clock.
ClockOffset offset_from_rank_0(Transport& transport);

/// A rank's buffers of a point: filled, spoilt before sampling so that stale results show, and checked.
class Operands {
 public:
  /// Page-aligned and touched. Throws core::Error (system) where there is no memory.
  Operands(Problem problem, const Content& content, int rank);

  std::span<const std::byte> input() const { return input_; }
  std::span<std::byte> output() const { return output_; }

  /// Writes the input again, and overwrites the output with what is not a result.
  void refill();
  std::optional<std::string> first_wrong() const;

  /// Whether another iteration finds the same input: reductions and exchanges in place overwrite theirs.
  bool keep_their_input() const;

 private:
  using Memory = core::Handle<std::byte*, std::free>;
  static Memory allocate(std::size_t bytes);

  Problem problem_;
  Content content_;
  int rank_;
  Memory first_, second_;
  std::span<std::byte> input_, output_;
};

class GroupPart {
 public:
  struct Made {
    int group = 0;                         // which of the point's
    Problem problem;                       // the group's own: its ranks are places in the group
    std::unique_ptr<Transport> transport;  // among the group
    std::unique_ptr<Runner> runner;        // may use the transport
  };
  /// Notes in `ring`, which must outlive it, what it runs.
  GroupPart(Made made, const Content& content, FlightRing& ring);

  int group() const { return made_.group; }
  /// Each iteration is timed from its own beginning: the end of the one before, or of the barrier between;
  /// iterations that run together as one.
  core::Timing run(std::int64_t iterations, Between between);
  void sampling_begins(const ClockOffset& offset);
  core::Verification verify();
  /// Figures of the iterations since sampling began.
  RankFigures figures() const;
  std::vector<core::Fact> facts() const { return made_.runner->facts(); }
  bool runs_together() const { return made_.runner->runs_together(); }
  std::vector<std::string_view> phases() const { return made_.runner->phases(); }
  bool reports_tiers() const { return made_.runner->tiers().has_value(); }

 private:
  core::Timing run_together(std::int64_t iterations);
  void run_once(double now_s);
  /// One entry of iterations that took `took_s` each.
  void note(double entry_s, double took_s, std::int64_t iterations = 1);
  void refill();

  Made made_;
  FlightRing* ring_;
  std::int64_t bytes_;  // for the ring
  Operands operands_;
  Executor barrier_;
  ClockOffset offset_;
  RankFigures own_;
};

/// All ranks of a transport wait for one another.
Executor barrier_over(Transport& transport);
/// Runs it, and notes that.
void run_barrier(Executor& barrier, FlightRing& ring);

}  // namespace assay::collectives
