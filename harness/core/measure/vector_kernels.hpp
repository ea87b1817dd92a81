// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of a transformer that are no products, and of its optimizer: the axes `kernel` and `pass` of
// memory.*.vector, and the same words in files of coefficients.
#pragma once

#include <array>
#include <string_view>

namespace assay::core {

enum class VectorKernel { layer_norm, softmax, gelu, residual_add, dropout, adam };
inline constexpr std::array<std::string_view, 6> vector_kernel_names = {"layer_norm",   "softmax", "gelu",
                                                                        "residual_add", "dropout", "adam"};

enum class VectorPass { forward, backward };
inline constexpr std::array<std::string_view, 2> vector_pass_names = {"forward", "backward"};

/// Key among a record's derived values: bytes of one tensor, elements times their width, whatever is moved.
inline constexpr const char* tensor_bytes = "tensor_bytes";

}  // namespace assay::core
