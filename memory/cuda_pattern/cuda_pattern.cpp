// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda_pattern/cuda_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "memory/cuda_pattern/cuda_pattern_pieces.hpp"

namespace assay::memory {
namespace {

constexpr std::uint64_t first_seed = 0x6A09E667F3BCC908U;
constexpr std::int64_t moved_per_byte = 4;  // written, read, written, read
constexpr std::size_t mismatches_in_facts = 64;

bool take_piece(std::vector<cuda::DeviceBuffer>& pieces, std::int64_t bytes) {
  try {
    pieces.emplace_back(static_cast<std::size_t>(bytes));
    return true;
  } catch (const core::Error& error) {
    if (error.code() != static_cast<long>(cudaErrorMemoryAllocation)) throw;
    return false;
  }
}

}  // namespace

bool is_exactly(const MismatchLog& log, const PlantedFault& fault) {
  return log.count == 1 && log.listed[0].address == fault.address &&
         (log.listed[0].expected ^ log.listed[0].read) == fault.bits;
}

core::Verification judge_pattern(const PatternOutcome& outcome, const MismatchLog& log) {
  using enum core::Verification::Result;
  if (log.count != 0) return {.result = wrong, .why = describe(log, 4)};
  if (!outcome.planted_fault_found)
    return {.result = wrong, .why = "the test did not find a fault that it planted itself"};
  if (outcome.rounds == 0 || outcome.tested_bytes == 0)
    return {.result = not_checked, .why = "no memory was tested"};
  const std::string tested = fmt::format(
      "{} bytes in {} rounds: every word held its pattern and its inverse, and a "
      "planted fault was found",
      outcome.tested_bytes, outcome.rounds);
  if (outcome.tested_bytes < outcome.asked_bytes)
    return {.result = not_checked,
            .why = fmt::format("{} bytes could not be allocated and were not tested; {}",
                               outcome.asked_bytes - outcome.tested_bytes, tested)};
  return {.result = right, .why = tested};
}

CudaPattern::CudaPattern(const Settings& settings, cuda::DeviceSite& site)
    : stream_(site.stream.get()), blocks_(4 * site.device.sm_count), mismatches_(stream_) {
  load_kernels();
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "ask how much memory is free");
  free_bytes_ = static_cast<std::int64_t>(free);
  outcome_.asked_bytes = asked_bytes(free_bytes_, settings.fraction_percent);
  outcome_.tested_bytes =
      gather_pieces(outcome_.asked_bytes, [this](std::int64_t bytes) { return take_piece(pieces_, bytes); });
}

// A kernel is loaded when it is first launched; by then the test may hold all memory there is to load it
// into.
void CudaPattern::load_kernels() {
  const PatternPiece nothing;
  cuda::check(launch_pattern_fill(nothing, 0, 1, stream_), "load the kernel that writes");
  cuda::check(launch_pattern_invert(nothing, 0, mismatches_.log(), 1, stream_),
              "load the kernel that inverts");
  cuda::check(launch_pattern_verify(nothing, 0, mismatches_.log(), 1, stream_),
              "load the kernel that checks");
  cuda::check(launch_pattern_fault(&mismatches_.log()->count, 0, stream_), "load the kernel that damages");
  wait_for_check(stream_, "load the kernels of the pattern test");
}

PatternPiece CudaPattern::piece(std::size_t index) const {
  return {pieces_[index].as<std::uint64_t>(), pieces_[index].size() / sizeof(std::uint64_t)};
}

void CudaPattern::fill(std::uint64_t seed) {
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    cuda::check(launch_pattern_fill(piece(i), seed, blocks_, stream_), "write the pattern");
}

void CudaPattern::plant(const PlantedFault& fault) {
  cuda::check(launch_pattern_fault(reinterpret_cast<std::uint64_t*>(fault.address), fault.bits, stream_),
              "plant a fault");
}

void CudaPattern::enqueue() {
  // All is written before anything is read: what is checked has long left the L2 wherever a share worth
  // testing was asked for.
  const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(outcome_.rounds++);
  fill(seed);
  if (next_fault_.bits != 0) plant(next_fault_);
  next_fault_ = {};
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    cuda::check(launch_pattern_invert(piece(i), seed, mismatches_.log(), blocks_, stream_),
                "check and invert");
  for (std::size_t i = 0; i < pieces_.size(); ++i)
    cuda::check(launch_pattern_verify(piece(i), seed, mismatches_.log(), blocks_, stream_),
                "check the inverse");
}

PlantedFault CudaPattern::plant_in_next_round(std::uint64_t bits) {
  const PatternPiece last = piece(pieces_.size() - 1);
  next_fault_ = {reinterpret_cast<std::uint64_t>(last.data + last.words / 3), bits};
  return next_fault_;
}

bool CudaPattern::finds_a_planted_fault() {
  if (pieces_.empty()) return false;
  const MismatchLog before = mismatches_.read();
  mismatches_.clear();
  const PlantedFault fault = plant_in_next_round(std::uint64_t{1} << 17 | std::uint64_t{1} << 63);
  const std::int64_t rounds = outcome_.rounds;
  enqueue();
  outcome_.rounds = rounds;
  const MismatchLog found = mismatches_.read();
  if (is_exactly(found, fault)) return true;
  // On memory that is already known to be faulty more than the planted word may differ.
  return before.count != 0 && found.count != 0;
}

core::Verification CudaPattern::check() {
  found_ = mismatches_.read();
  outcome_.planted_fault_found = finds_a_planted_fault();
  return judge_pattern(outcome_, found_);
}

std::vector<core::Metric> CudaPattern::metrics(const core::Measurement& measurement) const {
  const double seconds = measurement.interval.estimate;
  const double moved = static_cast<double>(moved_per_byte * outcome_.tested_bytes);
  return {{.name = "traffic_gb_per_s", .unit = "GB/s", .value = core::gb_per_s(moved, seconds)},
          {.name = "mismatches", .unit = "words", .value = static_cast<double>(found_.count)}};
}

std::vector<core::Fact> CudaPattern::facts() const {
  std::vector<core::Fact> facts = {
      {"free_bytes", free_bytes_},
      {"asked_bytes", outcome_.asked_bytes},
      {"tested_bytes", outcome_.tested_bytes},
      {"not_tested_bytes", outcome_.asked_bytes - outcome_.tested_bytes},
      {"pieces", static_cast<std::int64_t>(pieces_.size())},
      {"rounds", outcome_.rounds},
      {"planted_fault_found", outcome_.planted_fault_found ? "yes" : "no"},
      {"mismatches_exact_count", static_cast<std::int64_t>(found_.count)},
  };
  const std::vector<Mismatch> listed = listed_mismatches(found_);
  for (std::size_t i = 0; i < std::min(listed.size(), mismatches_in_facts); ++i)
    facts.emplace_back(fmt::format("mismatch_{}", i + 1), describe(listed[i]));
  return facts;
}

std::vector<core::Case> cuda_pattern_cases(const machine::Machine&) { return {core::case_of<CudaPattern>()}; }

}  // namespace assay::memory
