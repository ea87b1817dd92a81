// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>

#include "harness/integrity/digest.hpp"

namespace assay::integrity {
namespace {

constexpr int bits_of_several = 3;

/// Numbers from a seed, one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t limit) { return position_hash(seed_, drawn_++) % limit; }

 private:
  std::uint64_t seed_, drawn_ = 0;
};

std::uint64_t several_bits(Draws& draws, std::size_t width) {
  std::uint64_t mask = 0;
  for (int chosen = 0; chosen < bits_of_several;) {
    const std::uint64_t bit = std::uint64_t{1} << draws.below(8 * width);
    chosen += (mask & bit) == 0 ? 1 : 0;
    mask |= bit;
  }
  return mask;
}

/// Every element of the row becomes its first one: the row's address does not move on.
void stick_row(Fault& fault, const Elements& elements, std::int64_t row) {
  const auto first = static_cast<std::uint64_t>(row * elements.columns);
  const std::uint64_t stuck = elements.bits(first);
  for (std::uint64_t at = first + 1; at < first + static_cast<std::uint64_t>(elements.columns); ++at)
    if (const std::uint64_t old = elements.bits(at); old != stuck) fault.changes.push_back({at, old, stuck});
}

}  // namespace

std::string FaultKind::name() const {
  switch (what) {
    case What::one_bit:
      return fmt::format("bit {}", bit);
    case What::several_bits:
      return fmt::format("{} bits", bits_of_several);
    case What::stuck_row:
      return "stuck row";
    case What::nan:
      break;
  }
  return "NaN";
}

std::vector<FaultKind> fault_kinds(std::size_t width, bool has_nan) {
  std::vector<FaultKind> kinds;
  for (int bit = 0; bit < static_cast<int>(8 * width); ++bit)
    kinds.push_back({FaultKind::What::one_bit, bit});
  kinds.push_back({FaultKind::What::several_bits});
  kinds.push_back({FaultKind::What::stuck_row});
  if (has_nan) kinds.push_back({FaultKind::What::nan});
  return kinds;
}

Fault draw(const FaultKind& kind, const Elements& elements, std::uint64_t nan_bits, std::uint64_t seed) {
  Fault fault{.kind = kind, .changes = {}};
  Draws draws(seed);
  const std::uint64_t at = draws.below(elements.count()), old = elements.bits(at);
  switch (kind.what) {
    case FaultKind::What::one_bit:
      fault.changes.push_back({at, old, old ^ (std::uint64_t{1} << kind.bit)});
      break;
    case FaultKind::What::several_bits:
      fault.changes.push_back({at, old, old ^ several_bits(draws, elements.width)});
      break;
    case FaultKind::What::stuck_row:
      stick_row(fault, elements, static_cast<std::int64_t>(at) / elements.columns);
      break;
    case FaultKind::What::nan:
      if (old != nan_bits) fault.changes.push_back({at, old, nan_bits});
      break;
  }
  return fault;
}

PlantedFault::PlantedFault(const Elements& elements, const Fault& fault)
    : elements_(elements), fault_(fault) {
  for (const Mismatch& change : fault_.changes) elements_.set(change.address, change.read);
}

PlantedFault::~PlantedFault() {
  for (const Mismatch& change : fault_.changes) elements_.set(change.address, change.expected);
}

bool is_exactly(const MismatchLog& log, const Fault& fault) {
  if (log.count != fault.changes.size()) return false;
  return std::ranges::all_of(listed_mismatches(log), [&](const Mismatch& found) {
    return std::ranges::any_of(fault.changes, [&](const Mismatch& change) {
      return change.address == found.address && change.expected == found.expected &&
             change.read == found.read;
    });
  });
}

}  // namespace assay::integrity
