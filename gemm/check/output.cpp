// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads an output that lies in host memory.
#include "gemm/check/output.hpp"

#include <cmath>
#include <cstring>

#include "gemm/check/check.hpp"
#include "gemm/pieces.hpp"

namespace assay::gemm {
namespace {

std::uint64_t element_at(const std::byte* output, std::size_t width, std::int64_t position) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, output + static_cast<std::size_t>(position) * width, width);
  return bits;
}

}  // namespace

OutputSummary summarize(const Problem& problem, const std::byte* output, int threads) {
  const OutputType type = problem.output();
  const auto width = static_cast<std::size_t>(element_bytes(type));
  OutputSummary all;
  all.row_checksums.resize(static_cast<std::size_t>(problem.rows()));
  std::vector<OutputSummary> parts(static_cast<std::size_t>(std::max(1, threads)));
  in_pieces(problem.rows(), threads, [&](std::int64_t begin, std::int64_t end, std::size_t piece) {
    OutputSummary part;
    for (std::int64_t position = begin * problem.n; position < end * problem.n; ++position) {
      const std::uint64_t bits = element_at(output, width, position);
      const double value = decode(type, bits);
      const Digest digest = digest_term(static_cast<std::uint64_t>(position), bits);
      const ChecksumTerm term = checksum_term(value, static_cast<std::uint64_t>(position % problem.n));
      part.digest += digest;
      part.not_whole += term.whole ? 0 : 1;
      part.not_finite += std::isfinite(value) ? 0 : 1;
      all.row_checksums[static_cast<std::size_t>(position / problem.n)] += term.term;
    }
    parts[piece] = part;
  });
  for (const OutputSummary& part : parts) {
    all.digest += part.digest;
    all.not_whole += part.not_whole;
    all.not_finite += part.not_finite;
  }
  return all;
}

OutputRow read_row(const Problem& problem, const std::byte* output, std::int64_t row) {
  const auto width = static_cast<std::size_t>(element_bytes(problem.output()));
  OutputRow read{.row = row, .values = {}};
  for (std::int64_t j = 0; j < problem.n; ++j)
    read.values.push_back(decode(problem.output(), element_at(output, width, row * problem.n + j)));
  return read;
}

}  // namespace assay::gemm
