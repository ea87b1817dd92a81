// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device/device_gemm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <utility>

#include "gemm/device/device_kernels.hpp"
#include "gemm/recipe.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/event_timer.hpp"

namespace assay::gemm {
namespace {

constexpr std::int64_t alignment = 256;
// A device that needs longer is taken for lost: ten products of the largest operands that fit stay below.
constexpr std::chrono::seconds longest_wait(300);

std::int64_t aligned(std::int64_t bytes) { return core::rounded_up(bytes, alignment); }

std::int64_t set_bytes(const Problem& problem) {
  return aligned(problem.a_bytes()) + aligned(problem.b_bytes()) +
         (problem.accumulate ? 2 : 1) * aligned(problem.output_bytes());
}

cuda::RotatingSet rotation(const Request& request, std::int64_t l2_bytes) {
  if (request.cache == CacheState::hot) return cuda::RotatingSet::hot();
  return cuda::RotatingSet::cold(set_bytes(request.problem), l2_bytes);
}

/// The factors that take the scales of fp8 operands out again, in device memory: 1 / scale of A and, aligned
/// as operands are, 1 / scale of B.
cuda::DeviceBuffer make_scales(const Request& request) {
  constexpr std::size_t apart = alignment / sizeof(float);
  cuda::DeviceBuffer buffer(2 * alignment);
  const Recipes pair = recipes(request.problem, request.data, 0);
  std::array<float, 2 * apart> factors = {};
  factors[0] = static_cast<float>(1.0 / pair.a.scale);
  factors[apart] = static_cast<float>(1.0 / pair.b.scale);
  cuda::check(cudaMemcpy(buffer.data(), factors.data(), sizeof factors, cudaMemcpyHostToDevice),
              "copy operand scales");
  // A copy of pageable memory may return before it has arrived, and our streams do not wait for the default
  // one.
  cuda::check(cudaDeviceSynchronize(), "copy operand scales");
  return buffer;
}

LtScales scales_in(const cuda::DeviceBuffer& buffer, Dtype dtype) {
  if (dtype != Dtype::fp8_e4m3) return {};
  return {buffer.as<float>(), buffer.as<float>(alignment)};
}

/// Why the type cannot run: a lack of the hardware, or sizes that the library does not take (cuBLASLt
/// documentation, cublasLtMatmul: fp8 wants multiples of 16, int8 multiples of 4).
std::optional<std::string> type_unsupported(const Problem& problem, const cuda::Device& device) {
  const int capability = 10 * device.compute_major + device.compute_minor;
  const auto needs = [&](int least) -> std::optional<std::string> {
    if (capability >= least) return std::nullopt;
    return fmt::format("{} needs compute capability {}.{}, this GPU has {}.{}", to_string(problem.dtype),
                       least / 10, least % 10, device.compute_major, device.compute_minor);
  };
  const auto multiples = [&](std::int64_t unit) -> std::optional<std::string> {
    if (problem.m % unit == 0 && problem.n % unit == 0 && problem.k % unit == 0) return std::nullopt;
    return fmt::format("cuBLASLt wants m, n and k to be multiples of {} for {}: {} x {} x {}", unit,
                       to_string(problem.dtype), problem.m, problem.n, problem.k);
  };
  switch (problem.dtype) {
    case Dtype::tf32:
    case Dtype::bf16:
      return needs(80);
    case Dtype::fp8_e4m3:
      if (auto reason = needs(89)) return reason;
      return multiples(16);
    case Dtype::int8:
      return multiples(4);
    case Dtype::fp64:
    case Dtype::fp32:
    case Dtype::fp16:
      break;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> device_unsupported(const Request& request, const cuda::Device& device) {
  const Problem& problem = request.problem;
  if (auto reason = CublasLt::unavailable()) return reason;
  if (auto reason = type_unsupported(problem, device)) return reason;
  if (constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max(); problem.batch > most)
    return fmt::format("cuBLASLt counts up to {} products of a batch, asked are {}", most, problem.batch);
  const std::int64_t needed = rotation(request, device.l2_bytes).count() * set_bytes(problem);
  if (needed > device.memory_bytes / 100 * 95)
    return fmt::format("the operands need {:.1f} GB and the GPU has {:.1f} GB",
                       static_cast<double>(needed) * 1e-9, static_cast<double>(device.memory_bytes) * 1e-9);
  const cuda::DeviceGuard guard(device.index);
  const cuda::DeviceBuffer scales = make_scales(request);
  const LtMatmul product(problem, scales_in(scales, problem.dtype), 1);
  if (product.candidates() > 0) return std::nullopt;
  return product.no_algorithm();
}

DeviceGemm::DeviceGemm(const Request& request, cuda::DeviceSite& site)
    : request_(request),
      site_(site),
      rotation_(rotation(request, site.device.l2_bytes)),
      memory_(static_cast<std::size_t>(rotation_.count() * set_bytes(request.problem))),
      workspace_(lt_workspace_bytes),
      scales_(make_scales(request)),
      summary_(request.problem, site.stream.get()),
      product_(request.problem, scales_in(scales_, request.problem.dtype),
               request.algorithm == AlgorithmChoice::best ? most_candidates : 1) {
  fill_operands();
  if (request.algorithm == AlgorithmChoice::best) choose_best();
  // The measuring starts with set 0, whatever the search used.
  rotation_ = rotation(request, site.device.l2_bytes);
}

LtOperands DeviceGemm::operands(std::int64_t set) const {
  const Problem& problem = request_.problem;
  std::byte* a = memory_.data() + set * set_bytes(problem);
  std::byte* b = a + aligned(problem.a_bytes());
  std::byte* d = b + aligned(problem.b_bytes());
  return {a, b, d + aligned(problem.output_bytes()), d};
}

void DeviceGemm::fill_operands() {
  const Problem& problem = request_.problem;
  cudaStream_t stream = site_.stream.get();
  const auto table = normal_table();
  const cuda::DeviceBuffer table_there(table.size_bytes()), saturated_there(sizeof(unsigned long long));
  cuda::check(
      cudaMemcpyAsync(table_there.data(), table.data(), table.size_bytes(), cudaMemcpyHostToDevice, stream),
      "copy the table of normal quantiles");
  cuda::check(cudaMemsetAsync(saturated_there.data(), 0, saturated_there.size(), stream), "zero a counter");
  auto* saturated = saturated_there.as<unsigned long long>();
  for (std::int64_t set = 0; set < rotation_.count(); ++set) {
    const Recipes pair = recipes(problem, request_.data, static_cast<int>(set));
    const LtOperands there = operands(set);
    const auto fill_one = [&](const OperandRecipe& recipe, void* target, std::int64_t count) {
      cuda::check(launch_fill(recipe, table_there.as<float>(), target, count, saturated, stream),
                  "fill an operand");
    };
    fill_one(pair.a, there.a, problem.a_elements());
    fill_one(pair.b, there.b, problem.b_elements());
    if (problem.accumulate) fill_one(pair.c, there.c, problem.output_elements());
    // All ones is NaN in every float type and -1 as int32: an output that was never written is wrong, also
    // for zeros.
    cuda::check(cudaMemsetAsync(there.d, 0xff, static_cast<std::size_t>(problem.output_bytes()), stream),
                "mark D");
  }
  cuda::wait_for(stream, "fill the operands", longest_wait);
  unsigned long long count = 0;
  cuda::check(cudaMemcpy(&count, saturated, sizeof count, cudaMemcpyDeviceToHost), "read a counter");
  saturated_fraction_ = static_cast<double>(count) / static_cast<double>(rotation_.count()) /
                        static_cast<double>(problem.a_elements() + problem.b_elements());
}

void DeviceGemm::enqueue() {
  last_ = rotation_.next();
  product_.enqueue(operands(last_), workspace_.data(), site_.stream.get());
}

double DeviceGemm::seconds_of(int candidate) {
  constexpr int warm = 2, timed = 8;
  product_.choose(candidate);
  cuda::EventTimer timer;
  for (int i = 0; i < warm; ++i) enqueue();
  timer.start(site_.stream.get());
  for (int i = 0; i < timed; ++i) enqueue();
  timer.stop(site_.stream.get());
  cuda::wait_for(site_.stream.get(), "time a candidate", longest_wait);
  return timer.seconds() / timed;
}

/// The library may list what it then refuses to run: such a candidate cannot be chosen.
double DeviceGemm::seconds_unless_refused(int candidate) {
  try {
    return seconds_of(candidate);
  } catch (const core::Error& error) {
    if (error.kind() != core::ErrorKind::cublas || error.poisons_process()) throw;
    return std::numeric_limits<double>::infinity();
  }
}

void DeviceGemm::choose_best() {
  // Twice through the list, best of both: the first pass also warms the clocks.
  std::vector<double> seconds(static_cast<std::size_t>(product_.candidates()),
                              std::numeric_limits<double>::infinity());
  for (int pass = 0; pass < 2; ++pass)
    for (int candidate = 0; candidate < product_.candidates(); ++candidate) {
      double& best = seconds[static_cast<std::size_t>(candidate)];
      best = std::min(best, seconds_unless_refused(candidate));
    }
  product_.choose(static_cast<int>(std::min_element(seconds.begin(), seconds.end()) - seconds.begin()));
}

core::Verification DeviceGemm::check_set(std::int64_t set) {
  const Problem& problem = request_.problem;
  const auto width = static_cast<std::size_t>(element_bytes(problem.output()) * problem.n);
  Problem one_row = problem;
  one_row.m = one_row.batch = 1;
  std::vector<OutputRow> rows;
  std::vector<std::byte> bytes(width);
  for (const std::int64_t row : rows_to_sample(problem)) {
    const std::byte* there =
        static_cast<const std::byte*>(operands(set).d) + static_cast<std::size_t>(row) * width;
    cuda::check(cudaMemcpy(bytes.data(), there, width, cudaMemcpyDeviceToHost), "copy an output row back");
    rows.push_back(read_row(one_row, bytes.data(), 0));
    rows.back().row = row;
  }
  const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return gemm::check(problem, request_.data, static_cast<int>(set), summary_.of(operands(set).d), rows,
                     threads);
}

core::Verification DeviceGemm::check() {
  cuda::wait_for(site_.stream.get(), "finish the products", longest_wait);
  return check_first_and_last(last_, [this](std::int64_t set) { return check_set(set); });
}

std::vector<core::Fact> DeviceGemm::facts() const {
  std::vector<core::Fact> facts = {
      {"library", CublasLt::library().version()},
      {"algorithm", "cublaslt: " + product_.name(product_.chosen())},
      {"algorithm_rank", static_cast<std::int64_t>(product_.chosen())},
      {"algorithm_candidates", static_cast<std::int64_t>(product_.candidates())},
      {"workspace_bytes", static_cast<std::int64_t>(lt_workspace_bytes)},
      {"operand_sets", rotation_.count()},
      {"accumulate", request_.problem.accumulate ? "D = A B + C in fp32" : "no: D = A B"}};
  if (element_bytes(request_.problem.dtype) == 1)
    facts.emplace_back("saturated_fraction", saturated_fraction_);
  if (request_.problem.dtype == Dtype::fp8_e4m3) facts.emplace_back("fp8_fast_accumulate", "off");
  return facts;
}

}  // namespace assay::gemm
