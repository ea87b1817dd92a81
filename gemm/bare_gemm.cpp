// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The other side of the comparison: the same libraries called in a bare loop, with none of assay's code
// around them. Usage: assay-bare-gemm SIZE fp32|bf16|int8|fp64 SECONDS. Prints TFLOP/s by mean and by best
// call: a square product, operands hot, transposed as in a forward pass. Threads and binding come from
// OMP_NUM_THREADS, OMP_PROC_BIND and OMP_PLACES.
#include <cblas.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <oneapi/dnnl/dnnl.hpp>
#include <random>
#include <string>
#include <vector>

namespace {

using Type = dnnl::memory::data_type;

std::vector<double> normal_numbers(std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> numbers(count);
  for (double& number : numbers) number = normal(random);
  return numbers;
}

/// Durations of one call.
struct Seconds {
  double mean = 0, best = 0;
};

Seconds seconds_of(const std::function<void()>& multiply, double budget) {
  using Clock = std::chrono::steady_clock;
  for (int i = 0; i < 3; ++i) multiply();
  std::int64_t count = 0;
  double elapsed = 0, before = 0, best = budget;
  const auto start = Clock::now();
  do {
    multiply();
    ++count;
    elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, elapsed - before);
    before = elapsed;
  } while (elapsed < budget);
  return {elapsed / static_cast<double>(count), best};
}

Seconds bare_blas(std::int64_t size, double budget) {
  const auto n = static_cast<blasint>(size);
  const auto count = static_cast<std::size_t>(size * size);
  const std::vector<double> a = normal_numbers(count), b = normal_numbers(count);
  std::vector<double> c(count);
  return seconds_of(
      [&] {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1.0, a.data(), n, b.data(), n, 0.0,
                    c.data(), n);
      },
      budget);
}

Seconds bare_onednn(std::int64_t size, Type type, Type output, double budget) {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const auto matrix = [&](Type of, bool transposed) {
    return dnnl::memory::desc({size, size}, of,
                              transposed ? dnnl::memory::dims{1, size} : dnnl::memory::dims{size, 1});
  };
  const dnnl::matmul::primitive_desc description(
      dnnl::matmul::desc(matrix(type, false), matrix(type, true), matrix(output, false)), engine);
  dnnl::memory a(description.src_desc(), engine), b(description.weights_desc(), engine),
      c(description.dst_desc(), engine);
  // The library converts: fp32 numbers reordered into the type wanted.
  const std::vector<double> numbers = normal_numbers(static_cast<std::size_t>(size * size));
  std::vector<float> narrow;
  for (const double number : numbers)
    narrow.push_back(static_cast<float>(number * (type == Type::s8 ? 30 : 1)));
  for (dnnl::memory* target : {&a, &b}) {
    dnnl::memory source(matrix(Type::f32, false), engine, narrow.data());
    dnnl::reorder(source, *target).execute(stream, source, *target);
  }
  stream.wait();
  dnnl::matmul product(description);
  return seconds_of(
      [&] {
        product.execute(stream, {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}});
        stream.wait();
      },
      budget);
}

Seconds bare(std::int64_t size, const std::string& dtype, double budget) {
  if (dtype == "fp64") return bare_blas(size, budget);
  if (dtype == "fp32") return bare_onednn(size, Type::f32, Type::f32, budget);
  if (dtype == "bf16") return bare_onednn(size, Type::bf16, Type::bf16, budget);
  if (dtype == "int8") return bare_onednn(size, Type::s8, Type::s32, budget);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t size = argc == 4 ? std::atoll(argv[1]) : 0;
  const double budget = argc == 4 ? std::atof(argv[3]) : 0;
  const Seconds seconds = size > 0 && budget > 0 ? bare(size, argv[2], budget) : Seconds{};
  if (seconds.mean <= 0) {
    std::fputs("usage: assay-bare-gemm SIZE fp32|bf16|int8|fp64 SECONDS\n", stderr);
    return 2;
  }
  const auto n = static_cast<double>(size);
  const double tera = 2 * n * n * n * 1e-12;
  std::printf("%.6f %.6f\n", tera / seconds.mean, tera / seconds.best);
  return std::fflush(stdout) == 0 ? 0 : 3;
}
