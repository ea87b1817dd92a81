// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/nccl_ranks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/core/units.hpp"

namespace assay::results::peers {
namespace {

enum class BusFactor { twice, once, one, unknown };

BusFactor factor_kind(std::string_view operation) {
  constexpr std::array<std::string_view, 5> once{"all_gather", "reduce_scatter", "alltoall", "gather",
                                                 "scatter"};
  constexpr std::array<std::string_view, 3> one{"broadcast", "reduce", "sendrecv"};
  if (operation == "all_reduce") return BusFactor::twice;
  if (std::ranges::find(once, operation) != once.end()) return BusFactor::once;
  return std::ranges::find(one, operation) != one.end() ? BusFactor::one : BusFactor::unknown;
}

double factor_of(BusFactor kind, double ranks) {
  return kind == BusFactor::one ? 1 : (kind == BusFactor::twice ? 2 : 1) * (ranks - 1) / ranks;
}

/// Halves whose rates have a ratio.
template <class Visit>
void each_rate(const NcclRun& run, const Visit& visit) {
  for (const NcclRow& row : run.rows)
    for (const NcclHalf& half : row.halves)
      if (half.algbw && half.busbw && half.algbw->value > 0) visit(*half.algbw, *half.busbw);
}

bool fits(const NcclRun& run, BusFactor kind, std::int64_t ranks) {
  bool all = true;
  each_rate(run, [&](PrintedNumber algbw, PrintedNumber busbw) {
    const PrintedNumber expected = product(algbw, {factor_of(kind, static_cast<double>(ranks)), 0});
    constexpr double rounding_of_tool = 1e-4;
    all = all && may_be_equal(expected, busbw, rounding_of_tool);
  });
  return all;
}

/// Follows from the most precise row; nothing where several numbers of ranks would do.
std::optional<std::int64_t> derived_ranks(const NcclRun& run, BusFactor kind) {
  PrintedNumber best{0, INFINITY};
  each_rate(run, [&](PrintedNumber algbw, PrintedNumber busbw) {
    const PrintedNumber factor = quotient(busbw, algbw);
    if (factor.half_digit < best.half_digit) best = factor;
  });
  if (!(best.half_digit < 1)) return std::nullopt;
  const double most = kind == BusFactor::twice ? 2 : 1;
  if (!(best.value < most)) return std::nullopt;
  const auto ranks = static_cast<std::int64_t>(std::llround(most / (most - best.value)));
  constexpr std::int64_t most_ranks = 1 << 20;
  if (ranks < 1 || ranks > most_ranks || !fits(run, kind, ranks)) return std::nullopt;
  const bool unique = (ranks == 1 || !fits(run, kind, ranks - 1)) && !fits(run, kind, ranks + 1);
  return unique ? std::optional(ranks) : std::nullopt;
}

}  // namespace

std::optional<double> bus_factor(std::string_view operation, std::int64_t ranks) {
  const BusFactor kind = factor_kind(operation);
  return kind == BusFactor::unknown ? std::nullopt
                                    : std::optional(factor_of(kind, static_cast<double>(ranks)));
}

NcclRanks ranks_of(const NcclRun& run) {
  const BusFactor kind = factor_kind(run.operation);
  const auto devices = static_cast<std::int64_t>(run.devices.size());
  const std::int64_t listed = run.devices_are_processes ? devices * run.threads * run.gpus : devices;
  const bool is_known = listed > 0 && !run.devices_left_out;
  if (kind == BusFactor::unknown) return {is_known ? std::optional(listed) : std::nullopt};
  if (is_known && fits(run, kind, listed)) return {listed};
  if (kind == BusFactor::one) {
    if (fits(run, kind, 1)) return {};
    return {.fault = "busbw is not algbw, as it must be of " + run.operation};
  }
  const auto derived = derived_ranks(run, kind);
  const std::string devices_text = core::counted(listed, "device");
  if (!is_known)
    return {derived, derived.has_value(),
            run.devices_left_out ? "the list of devices is cut" : "no device is listed"};
  if (derived && *derived < listed && listed % *derived == 0)
    return {.ranks = derived,
            .derived = true,
            .detail = devices_text + " in groups of " + std::to_string(*derived),
            .groups = listed / *derived};
  return {.fault = "busbw over algbw does not fit " + devices_text + ": the row was left out"};
}

}  // namespace assay::results::peers
