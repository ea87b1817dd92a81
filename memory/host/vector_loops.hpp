// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The host's loops of the vector kernels, which the compiler vectorises: vector_INSTRUCTIONS.cpp includes it
// once, after the pragma that allows those instructions. Formulas of results are in vector_kernels.cpp.
#pragma once

namespace assay::memory {
namespace {

/// exp(x), to 3 units in the last place, without a branch: 2^n by the exponent's bits, and a polynomial
/// (Cephes, expf) of the rest.
inline float exponential(float x) {
  x = std::min(std::max(x, -87.0F), 88.0F);
  const float shifted = x * 1.44269504F + 12582912.0F;  // rounds to a whole number in the low bits
  const float n = shifted - 12582912.0F;
  const float r = x - n * 0.693359375F + n * 2.12194440e-4F;
  float y = 1.9875691500e-4F;
  y = y * r + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  y = y * r * r + r + 1.0F;
  return y * std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
}

/// As core::to_bf16(), without a branch, which the compiler would not vectorise.
inline void put(core::Bf16& into, float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16, nan = (bits >> 16) | 0x40U;
  into.bits = static_cast<std::uint16_t>(x == x ? rounded : nan);
}
inline void put(float& into, float x) { into = x; }

template <class T>
void layer_norm(const T* __restrict x, T* __restrict y, std::int64_t n) {
  float sum = 0, squares = 0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += static_cast<float>(x[i]);
  const float mean = sum / static_cast<float>(n);
#pragma omp simd reduction(+ : squares)
  for (std::int64_t i = 0; i < n; ++i) {
    const float off = static_cast<float>(x[i]) - mean;
    squares += off * off;
  }
  const float scale = 1.0F / std::sqrt(squares / static_cast<float>(n) + norm_epsilon);
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) put(y[i], (static_cast<float>(x[i]) - mean) * scale);
}

template <class T>
void softmax_row(const T* __restrict x, T* __restrict y, std::int64_t n) {
  float most = static_cast<float>(x[0]), sum = 0;
#pragma omp simd reduction(max : most)
  for (std::int64_t i = 0; i < n; ++i) most = std::max(most, static_cast<float>(x[i]));
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += exponential(static_cast<float>(x[i]) - most);
  const float scale = 1.0F / sum;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) put(y[i], exponential(static_cast<float>(x[i]) - most) * scale);
}

inline float gelu_of(float x) {
  const float inner = gelu_slope * (x + gelu_cubic * x * x * x);
  return x - x / (exponential(2 * inner) + 1.0F);  // tanh(z) = 1 - 2 / (exp(2z) + 1)
}

template <class T>
void by_element_loop(VectorKernel kernel, const VectorPart& part) {
  const std::int64_t n = part.rows * part.columns, first = part.first;
  const T* __restrict x = static_cast<const T*>(part.x);
  const T* __restrict r = static_cast<const T*>(part.r);
  T* __restrict y = static_cast<T*>(part.y);
  if (kernel == VectorKernel::gelu) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) put(y[i], gelu_of(static_cast<float>(x[i])));
  } else if (kernel == VectorKernel::residual_add) {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) put(y[i], static_cast<float>(x[i]) + static_cast<float>(r[i]));
  } else {
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i)
      put(y[i], is_kept(first + i) ? static_cast<float>(x[i]) * dropout_scale : 0.0F);
  }
}

template <class T>
void adam(const VectorPart& part) {
  const T* __restrict gradient = static_cast<const T*>(part.x);
  float* __restrict p = part.p;
  float* __restrict m = part.m;
  float* __restrict v = part.v;
  const float c1 = part.correction1, c2 = part.correction2;
#pragma omp simd
  for (std::int64_t i = 0; i < part.rows * part.columns; ++i) {
    const float g = static_cast<float>(gradient[i]);
    m[i] = adam_beta1 * m[i] + (1 - adam_beta1) * g;
    v[i] = adam_beta2 * v[i] + (1 - adam_beta2) * g * g;
    p[i] = adam_keep * p[i] - adam_rate * (m[i] * c1) / (std::sqrt(v[i] * c2) + adam_epsilon);
  }
}

template <class T>
void run_typed(VectorKernel kernel, const VectorPart& part) {
  if (kernel == VectorKernel::adam) return adam<T>(part);
  const bool by_row = kernel == VectorKernel::layer_norm || kernel == VectorKernel::softmax;
  if (!by_row) return by_element_loop<T>(kernel, part);
  for (std::int64_t row = 0; row < part.rows; ++row) {
    const T* x = static_cast<const T*>(part.x) + row * part.columns;
    T* y = static_cast<T*>(part.y) + row * part.columns;
    kernel == VectorKernel::softmax ? softmax_row(x, y, part.columns) : layer_norm(x, y, part.columns);
  }
}

void run_loops(VectorKernel kernel, VectorType type, const VectorPart& part) {
  if (type == VectorType::bf16) return run_typed<core::Bf16>(kernel, part);
  run_typed<float>(kernel, part);
}

}  // namespace
}  // namespace assay::memory
