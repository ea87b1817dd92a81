// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/device_layers.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/core/error.hpp"
#include "harness/core/number_formats.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/check.hpp"
#include "harness/workload/lt_matmul.hpp"

namespace assay::collectives {
namespace {

constexpr int not_a_number = 0xff;             // in every byte, of bf16 and fp32
constexpr double relative_tolerance = 0x1p-7;  // bf16 keeps 8 bits, and may keep partial sums
constexpr std::int64_t sampled_elements = 17;

/// Whole numbers, none negative: up to 74,000 products sum exactly in fp32, and no rounding is lost in a
/// difference.
constexpr std::uint64_t most_operand = 15;
float operand_at(std::int64_t index, unsigned seed) {
  return static_cast<float>(((static_cast<std::uint64_t>(index) + seed) * 2654435761U >> 7) %
                            (most_operand + 1));
}

constexpr unsigned seed_of_a = 1, seed_of_b = 7;

std::vector<std::uint16_t> operand(std::int64_t elements, unsigned seed) {
  std::vector<std::uint16_t> numbers(static_cast<std::size_t>(elements));
  for (std::int64_t i = 0; i < elements; ++i)
    numbers[static_cast<std::size_t>(i)] = core::to_bf16(operand_at(i, seed));
  return numbers;
}

double exact_element(const workload::Problem& problem, std::int64_t row, std::int64_t column) {
  double sum = 0;
  for (std::int64_t l = 0; l < problem.k; ++l) {
    const std::int64_t a = problem.a_is_transposed() ? l * problem.m + row : row * problem.k + l;
    const std::int64_t b = problem.b_is_transposed() ? column * problem.k + l : l * problem.n + column;
    sum += static_cast<double>(operand_at(a, seed_of_a)) * static_cast<double>(operand_at(b, seed_of_b));
  }
  return sum;
}

double element_of_result(const workload::Problem& problem, const std::vector<std::byte>& result,
                         std::int64_t index) {
  const auto bytes = static_cast<std::size_t>(workload::element_bytes(problem.output()));
  std::uint32_t bits = 0;
  std::memcpy(&bits, result.data() + static_cast<std::size_t>(index) * bytes, bytes);
  if (problem.output() == workload::OutputType::bf16) bits <<= 16;
  return static_cast<double>(std::bit_cast<float>(bits));
}

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

void upload(const cuda::DeviceBuffer& to, const std::vector<std::uint16_t>& from) {
  cuda::check(cudaMemcpy(to.data(), from.data(), to.size(), cudaMemcpyHostToDevice), "bring an operand");
}

}  // namespace

/// One product, once for each layer.
class DeviceProduct {
 public:
  DeviceProduct(const workload::Problem& problem, int layers)
      : problem_(problem), matmul_(problem, {}, 1), workspace_(workload::lt_workspace_bytes) {
    if (matmul_.candidates() == 0) throw core::Unsupported(core::ErrorKind::cublas, matmul_.no_algorithm());
    fill(layers);
    run_alone();
  }

  void enqueue(int layer, cudaStream_t stream) const {
    const Operands& own = layers_[static_cast<std::size_t>(layer)];
    matmul_.enqueue({.a = own.a.data(), .b = own.b.data(), .d = own.result.data()}, workspace_.data(),
                    stream);
  }

  void spoil() const {
    for (const Operands& own : layers_)
      cuda::check(cudaMemsetAsync(own.result.data(), not_a_number, own.result.size(), nullptr),
                  "spoil a result");
    cuda::check(cudaStreamSynchronize(nullptr), "spoil results");
  }

  std::optional<std::string> wrong() const {
    for (std::size_t layer = 0; layer < layers_.size(); ++layer)
      if (result(layer) != alone_)
        return fmt::format("layer {}: the product {} is not what it was alone", layer, problem_.layout());
    return std::nullopt;
  }

  /// "NN algo 66, tile 20, ...".
  std::string algorithm() const { return problem_.layout() + " " + matmul_.name(matmul_.chosen()); }

 private:
  struct Operands {
    cuda::DeviceBuffer a, b, result;
  };

  void fill(int layers) {
    const std::vector<std::uint16_t> a = operand(problem_.a_elements(), seed_of_a),
                                     b = operand(problem_.b_elements(), seed_of_b);
    for (int layer = 0; layer < layers; ++layer) {
      layers_.push_back({cuda::DeviceBuffer(size_of(problem_.a_bytes())),
                         cuda::DeviceBuffer(size_of(problem_.b_bytes())),
                         cuda::DeviceBuffer(size_of(problem_.output_bytes()))});
      upload(layers_.back().a, a);
      upload(layers_.back().b, b);
    }
  }

  void run_alone() {
    spoil();
    enqueue(0, nullptr);
    cuda::check(cudaStreamSynchronize(nullptr), "compute a product alone");
    alone_ = result(0);
    for (std::int64_t sample = 0; sample < sampled_elements; ++sample) {
      const std::int64_t index = (problem_.output_elements() - 1) * sample / (sampled_elements - 1);
      const double expected = exact_element(problem_, index / problem_.n, index % problem_.n);
      const double seen = element_of_result(problem_, alone_, index);
      if (!(std::abs(seen - expected) <= relative_tolerance * expected))
        throw core::Error(core::ErrorKind::cublas,
                          fmt::format("element {} of the product {} alone is {}, expected {}", index,
                                      problem_.layout(), seen, expected));
    }
  }

  std::vector<std::byte> result(std::size_t layer) const {
    const cuda::DeviceBuffer& from = layers_[layer].result;
    std::vector<std::byte> bytes(from.size());
    cuda::check(cudaMemcpy(bytes.data(), from.data(), bytes.size(), cudaMemcpyDeviceToHost),
                "read a product");
    return bytes;
  }

  workload::Problem problem_;
  workload::LtMatmul matmul_;
  cuda::DeviceBuffer workspace_;
  std::vector<Operands> layers_;
  std::vector<std::byte> alone_;
};

DeviceLayers::DeviceLayers(const LayerShape& shape, int layers) {
  for (const workload::Problem& problem : products_of(shape, workload::Dtype::bf16))
    products_.push_back(std::make_unique<DeviceProduct>(problem, layers));
}

DeviceLayers::~DeviceLayers() = default;

void DeviceLayers::enqueue(int layer, cudaStream_t stream) const {
  for (const auto& product : products_) product->enqueue(layer, stream);
}

void DeviceLayers::spoil() {
  for (const auto& product : products_) product->spoil();
}

std::optional<std::string> DeviceLayers::wrong() const {
  for (const auto& product : products_)
    if (auto why = product->wrong()) return why;
  return std::nullopt;
}

std::vector<core::Fact> DeviceLayers::facts() const {
  std::string algorithms;
  for (const auto& product : products_)
    algorithms += (algorithms.empty() ? "cublaslt: " : "; ") + product->algorithm();
  return {{"library", workload::CublasLt::library().version()},
          {"algorithm", algorithms},
          {"data", fmt::format("whole numbers 0 to {} in bf16", most_operand)},
          {"cache", "every layer and exchange has memory of its own"}};
}

std::optional<std::string> why_no_device_layers() { return workload::CublasLt::unavailable(); }

}  // namespace assay::collectives
