// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NCCL's tuner file, and a matrix of counts of an all-to-all.
#include <sstream>

#include "collectives/counts_matrix.hpp"
#include "collectives/tuner/tuner_csv.hpp"
#include "harness/core/tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(assay::fuzz::text_of(data, size));
  assay::collectives::read_tuner_csv(text);
  assay::fuzz::read_or_refuse([&] {
    std::istringstream stream(text);
    assay::collectives::read_counts_matrix(stream, "traffic.txt");
  });
  return 0;
}
