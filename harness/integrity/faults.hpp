// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Faults as broken hardware makes them, planted in a result that is right: one bit, several bits of an
// element, a row that is stuck, a NaN. Drawn from a seed, so that a fault that was missed can be planted
// again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/integrity/elements.hpp"
#include "harness/integrity/mismatch.hpp"

namespace assay::integrity {

struct FaultKind {
  enum class What { one_bit, several_bits, stuck_row, nan };
  What what = What::one_bit;
  int bit = 0;  // of one_bit
  std::string name() const;
};

/// One bit at each position of an element, several bits, a stuck row; and a NaN where the type has one.
std::vector<FaultKind> fault_kinds(std::size_t width, bool has_nan);

/// New bits for some elements, each other than the old ones.
struct Fault {
  FaultKind kind;
  std::vector<Mismatch> changes;  // position, old bits, new bits
};

/// `nan_bits`: what a NaN looks like, where the type has one. Empty where the elements cannot be faulted so
/// (a stuck row of equal elements).
Fault draw(const FaultKind& kind, const Elements& elements, std::uint64_t nan_bits, std::uint64_t seed);

/// In the elements as long as it lives; then the old bits are back.
class PlantedFault {
 public:
  PlantedFault(const Elements& elements, const Fault& fault);
  ~PlantedFault();
  PlantedFault(const PlantedFault&) = delete;
  PlantedFault& operator=(const PlantedFault&) = delete;

 private:
  Elements elements_;
  const Fault& fault_;
};

/// True when the log holds exactly this fault: each change, and nothing else.
bool is_exactly(const MismatchLog& log, const Fault& fault);

}  // namespace assay::integrity
