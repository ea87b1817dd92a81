// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One matrix product as training meets it: sizes, element type, and how its operands lie in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::workload {

/// One of the three products of a linear layer Y = X W^T; it fixes how the operands are stored, row-major.
/// The name at the end is that of a column-major library.
///   forward  Y(t x out)  = X(t x in) W(out x in)^T     A as m x k, B as n x k  "TN"
///   dgrad    dX(t x in)  = dY(t x out) W(out x in)     A as m x k, B as k x n  "NN"
///   wgrad    dW(out x in) = dY(t x out)^T X(t x in)    A as k x m, B as k x n  "NT", result in fp32
enum class Pass { forward, dgrad, wgrad };

enum class Dtype { fp64, fp32, tf32, bf16, fp16, fp8_e4m3, int8 };

/// How results are written: operands' own type, or the wider one the pass asks for.
enum class OutputType { fp64, fp32, bf16, fp16, int32 };

/// D(m x n) = A(m x k) B(k x n), stored as `pass` says; of a batch each operand lies behind the one before.
struct Problem {
  std::int64_t m = 0, n = 0, k = 0;
  Dtype dtype = Dtype::bf16;
  Pass pass = Pass::forward;
  /// Both operands lie with k contiguous whatever the pass, as 8-bit tensor cores read them ("TN"); a
  /// training framework transposes copies to get there.
  bool k_contiguous = false;
  /// D = A B + C instead of C = A B: a weight gradient added to the one so far. C lies apart from the result,
  /// in its type, so that every repetition gives the same bits.
  bool accumulate = false;
  std::int64_t batch = 1;  // products of these sizes, in one call where the library has one

  bool a_is_transposed() const { return pass == Pass::wgrad && !k_contiguous; }   // stored k x m
  bool b_is_transposed() const { return pass == Pass::forward || k_contiguous; }  // stored n x k
  double flops() const {
    return 2.0 * static_cast<double>(rows()) * static_cast<double>(n) * static_cast<double>(k);
  }
  // Sizes of the whole batch:
  std::int64_t rows() const { return batch * m; }  // of the results
  std::int64_t a_elements() const { return rows() * k; }
  std::int64_t b_elements() const { return batch * k * n; }
  std::int64_t output_elements() const { return rows() * n; }
  OutputType output() const;
  std::int64_t a_bytes() const;
  std::int64_t b_bytes() const;
  std::int64_t output_bytes() const;
  /// "TN", "NN" or "NT": the operands' operations in a column-major library, weights first.
  std::string layout() const;
};

std::int64_t element_bytes(Dtype dtype);
std::int64_t element_bytes(OutputType output);

std::string to_string(Pass pass);
std::string to_string(Dtype dtype);
std::string to_string(OutputType output);
std::vector<std::string> all_passes();
std::vector<std::string> all_dtypes();

/// Throw a usage Error naming what is accepted.
Pass pass_from(std::string_view text);
Dtype dtype_from(std::string_view text);

/// Throws a usage Error when a size or the batch is not positive or an operand would exceed 2^62 bytes.
void require_possible(const Problem& problem);

}  // namespace assay::workload
