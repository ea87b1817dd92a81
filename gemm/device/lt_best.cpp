// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The other side of the comparison on a GPU: every candidate of cuBLASLt's heuristics in a bare loop of CUDA
// graphs, with none of assay's timing around it. Usage: assay-lt-best SECONDS bf16|fp8_e4m3 MxNxK.... Prints
// a line a product: its sizes, TFLOP/s of the fastest candidate by the median of its graphs, its number, how
// many there were, TFLOP/s of the first. Operands are normal numbers, hot, transposed as in a forward pass; D
// is bf16.
#include <cuda_bf16.h>
#include <cuda_fp8.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/workload/cublaslt.hpp"

namespace {

using namespace assay;
using cuda::check;
using workload::CublasLt;
using workload::LtHandle;
using Candidate = cublasLtMatmulHeuristicResult_t;

constexpr std::size_t workspace_bytes = std::size_t{32} << 20;
constexpr int most_candidates = 64, finalists = 3;

struct Product {
  long m = 0, n = 0, k = 0;
  double tera() const {
    return 2e-12 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

/// A block of normal numbers, again and again: as good as new ones to the arithmetic units.
template <class Element>
cuda::DeviceBuffer filled(std::size_t elements, unsigned seed) {
  constexpr std::size_t block = std::size_t{1} << 20;
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<Element> numbers(std::min(block, elements));
  for (Element& number : numbers) number = Element(normal(random));
  cuda::DeviceBuffer buffer(elements * sizeof(Element));
  for (std::size_t at = 0; at < elements; at += block)
    check(cudaMemcpy(buffer.as<Element>() + at, numbers.data(),
                     std::min(block, elements - at) * sizeof(Element), cudaMemcpyDefault),
          "fill an operand");
  return buffer;
}

cuda::DeviceBuffer operand(cudaDataType_t type, long rows, long columns, unsigned seed) {
  const auto elements = static_cast<std::size_t>(rows * columns);
  return type == CUDA_R_16BF ? filled<__nv_bfloat16>(elements, seed) : filled<__nv_fp8_e4m3>(elements, seed);
}

LtHandle<cublasLtMatrixLayout_t> layout(const CublasLt& lt, cudaDataType_t type, long rows, long columns) {
  cublasLtMatrixLayout_t made = nullptr;
  lt.check(lt.layout_create(&made, type, static_cast<std::uint64_t>(rows),
                            static_cast<std::uint64_t>(columns), rows),
           "describe a matrix");
  return {made, lt.layout_destroy};
}

LtHandle<cublasLtMatmulDesc_t> description(const CublasLt& lt) {
  cublasLtMatmulDesc_t made = nullptr;
  lt.check(lt.desc_create(&made, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describe a product");
  LtHandle<cublasLtMatmulDesc_t> owned(made, lt.desc_destroy);
  const std::int32_t transposed = CUBLAS_OP_T;
  lt.check(lt.desc_set(made, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
           "describe a product");
  return owned;
}

LtHandle<cublasLtHandle_t> handle(const CublasLt& lt) {
  cublasLtHandle_t made = nullptr;
  lt.check(lt.create(&made), "create a cuBLASLt handle");
  return {made, lt.destroy};
}

/// Row-major D[m,n] = A[m,k] W[n,k]^T, which the library sees as D^T[n,m] = W^T A, column by column.
class Bench {
 public:
  Bench(const Product& product, cudaDataType_t type)
      : tera_(product.tera()),
        handle_(handle(lt_)),
        description_(description(lt_)),
        first_(layout(lt_, type, product.k, product.n)),
        second_(layout(lt_, type, product.k, product.m)),
        result_(layout(lt_, CUDA_R_16BF, product.n, product.m)),
        w_(operand(type, product.k, product.n, 1)),
        a_(operand(type, product.k, product.m, 2)),
        d_(static_cast<std::size_t>(product.n * product.m) * 2),
        workspace_(workspace_bytes) {
    find_candidates();
  }

  int candidates() const { return static_cast<int>(candidates_.size()); }

  /// Median over graphs of launches that fill about a hundredth of a second each, for `seconds`; infinite
  /// where the library refuses what it offered.
  double seconds_of(int candidate, double seconds) {
    if (!enqueue(candidate)) return std::numeric_limits<double>::infinity();
    const double one = timed([&] { enqueue(candidate); });
    const int launches = std::clamp(static_cast<int>(0.01 / std::max(one, 1e-7)), 1, 1000);
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal), "capture");
    for (int i = 0; i < launches; ++i) enqueue(candidate);
    check(cudaStreamEndCapture(stream_.get(), &graph), "capture");
    cudaGraphExec_t replayed = nullptr;
    check(cudaGraphInstantiate(&replayed, graph, 0), "make a graph");
    std::vector<double> times;
    double spent = 0;
    do {
      times.push_back(timed([&] { check(cudaGraphLaunch(replayed, stream_.get()), "launch a graph"); }));
      spent += times.back();
    } while (spent < seconds);
    check(cudaGraphExecDestroy(replayed), "drop a graph");
    check(cudaGraphDestroy(graph), "drop a graph");
    std::ranges::sort(times);
    return times[times.size() / 2] / launches;
  }

  double tflops(double seconds) const { return tera_ / seconds; }

 private:
  void find_candidates() {
    cublasLtMatmulPreference_t made = nullptr;
    lt_.check(lt_.preference_create(&made), "state a preference");
    const LtHandle<cublasLtMatmulPreference_t> preference(made, lt_.preference_destroy);
    lt_.check(lt_.preference_set(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes,
                                 sizeof workspace_bytes),
              "state the workspace");
    candidates_.resize(most_candidates);
    int found = 0;
    const cublasStatus_t status =
        lt_.heuristic(handle_.get(), description_.get(), first_.get(), second_.get(), result_.get(),
                      result_.get(), made, most_candidates, candidates_.data(), &found);
    candidates_.resize(status == CUBLAS_STATUS_SUCCESS ? static_cast<std::size_t>(found) : 0);
  }

  bool enqueue(int candidate) {
    const float one = 1, zero = 0;
    const Candidate& chosen = candidates_[static_cast<std::size_t>(candidate)];
    return lt_.matmul(handle_.get(), description_.get(), &one, w_.data(), first_.get(), a_.data(),
                      second_.get(), &zero, d_.data(), result_.get(), d_.data(), result_.get(), &chosen.algo,
                      workspace_.data(), workspace_bytes, stream_.get()) == CUBLAS_STATUS_SUCCESS;
  }

  template <class Work>
  double timed(const Work& work) {
    check(cudaEventRecord(begin_.get(), stream_.get()), "record");
    work();
    check(cudaEventRecord(end_.get(), stream_.get()), "record");
    check(cudaStreamSynchronize(stream_.get()), "wait for a product");
    return cuda::seconds_between(begin_, end_, "read a time");
  }

  const CublasLt& lt_ = CublasLt::library();
  double tera_;
  cuda::Stream stream_ = cuda::make_stream();
  cuda::Event begin_ = cuda::make_event(cuda::EventUse::timing),
              end_ = cuda::make_event(cuda::EventUse::timing);
  LtHandle<cublasLtHandle_t> handle_;
  LtHandle<cublasLtMatmulDesc_t> description_;
  LtHandle<cublasLtMatrixLayout_t> first_, second_, result_;
  cuda::DeviceBuffer w_, a_, d_, workspace_;
  std::vector<Candidate> candidates_;
};

/// Candidates by their time, the fastest first: all for a moment, then the best of them for longer.
std::vector<std::pair<double, int>> ranked(Bench& bench, double seconds) {
  std::vector<std::pair<double, int>> times;
  bench.seconds_of(0, seconds);  // the clock settles
  for (int candidate = 0; candidate < bench.candidates(); ++candidate)
    times.emplace_back(bench.seconds_of(candidate, 0.02), candidate);
  std::ranges::sort(times);
  for (std::size_t i = 0; i < std::min<std::size_t>(finalists, times.size()); ++i)
    times[i].first = bench.seconds_of(times[i].second, seconds / finalists);
  std::ranges::sort(times);
  return times;
}

void print_best(const std::string& text, cudaDataType_t type, double seconds) {
  Product product;
  char end = 0;
  if (std::sscanf(text.c_str(), "%ldx%ldx%ld%c", &product.m, &product.n, &product.k, &end) != 3 ||
      std::min({product.m, product.n, product.k}) < 1)
    throw std::runtime_error(text + ": expected MxNxK, such as 8192x8192x8192");
  Bench bench(product, type);
  if (bench.candidates() == 0) throw std::runtime_error(text + ": cuBLASLt has no algorithm for it");
  const auto times = ranked(bench, seconds);
  std::printf("%s %.6f %d %d %.6f\n", text.c_str(), bench.tflops(times.front().first), times.front().second,
              bench.candidates(), bench.tflops(bench.seconds_of(0, seconds / finalists)));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 3 ? std::atof(argv[1]) : 0;
  const std::string dtype = argc > 3 ? argv[2] : "";
  if (!(seconds > 0) || (dtype != "bf16" && dtype != "fp8_e4m3")) {
    std::fputs("usage: assay-lt-best SECONDS bf16|fp8_e4m3 MxNxK...\n", stderr);
    return 2;
  }
  try {
    for (int i = 3; i < argc; ++i)
      print_best(argv[i], dtype == "bf16" ? CUDA_R_16BF : CUDA_R_8F_E4M3, seconds);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "assay-lt-best: %s\n", error.what());
    return 3;
  }
  return 0;
}
