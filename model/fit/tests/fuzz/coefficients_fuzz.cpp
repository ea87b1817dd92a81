// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A file of fitted coefficients of any kind.
#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace fit = assay::model::fit;
  const assay::fuzz::InputFile file(assay::fuzz::text_of(data, size));
  assay::fuzz::read_or_refuse([&] { fit::kind_of_coefficients(file.path()); });
  assay::fuzz::read_or_refuse([&] { fit::read_gemm_coefficients(file.path()); });
  assay::fuzz::read_or_refuse([&] { fit::read_collective_coefficients(file.path()); });
  assay::fuzz::read_or_refuse([&] { fit::read_size_coefficients(file.path()); });
  assay::fuzz::read_or_refuse([&] { fit::read_loggp_coefficients(file.path()); });
  return 0;
}
