// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/bandwidth.hpp"

#include <algorithm>

namespace assay::collectives {

std::optional<double> busbw_factor(Operation operation, int ranks) {
  const double n = ranks;
  switch (operation) {
    case Operation::all_reduce:
      return 2 * (n - 1) / n;
    case Operation::all_gather:
    case Operation::reduce_scatter:
    case Operation::all_to_all:
    case Operation::gather:
    case Operation::scatter:
      return (n - 1) / n;
    case Operation::broadcast:
    case Operation::reduce:
    case Operation::send_receive:
      return 1;
    case Operation::all_to_all_v:
    case Operation::barrier:
      return std::nullopt;
  }
  return std::nullopt;
}

double counted_bytes(const Problem& problem, std::int64_t element_bytes) {
  std::int64_t elements = problem.count;
  if (problem.operation == Operation::barrier) elements = 0;
  if (problem.counts) {
    elements = 0;
    for (int rank = 0; rank < problem.ranks; ++rank)
      elements = std::max(elements, problem.counts->sent_by(rank));
  }
  return static_cast<double>(elements * element_bytes);
}

}  // namespace assay::collectives
