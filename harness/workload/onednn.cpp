// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// oneDNN's matmul primitive: fp32, bf16 and int8, on plain (not reordered) operands as a training framework
// holds them.
#include <fmt/core.h>
#include <oneapi/dnnl/dnnl_debug.h>

#include <oneapi/dnnl/dnnl.hpp>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::workload {
namespace {

using DnnlType = dnnl::memory::data_type;

std::optional<DnnlType> operand_type(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
      return DnnlType::f32;
    case Dtype::bf16:
      return DnnlType::bf16;
    case Dtype::fp16:
      return DnnlType::f16;
    case Dtype::int8:
      return DnnlType::s8;
    case Dtype::fp64:
    case Dtype::tf32:
    case Dtype::fp8_e4m3:
      break;
  }
  return std::nullopt;
}

DnnlType output_type(OutputType type) {
  switch (type) {
    case OutputType::bf16:
      return DnnlType::bf16;
    case OutputType::fp16:
      return DnnlType::f16;
    case OutputType::int32:
      return DnnlType::s32;
    case OutputType::fp32:
    case OutputType::fp64:
      break;
  }
  return DnnlType::f32;
}

/// Without VNNI, oneDNN multiplies bytes by pmaddubsw, which saturates at 16 bits: oneDNN, Nuances of int8
/// Computations.
bool adds_products_in_32_bits() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni") || __builtin_cpu_supports("avxvnni");
#else
  return true;
#endif
}

/// `batch` matrices, one behind the other; a single one has two dimensions.
dnnl::memory::desc matrix(std::int64_t batch, std::int64_t rows, std::int64_t columns, DnnlType type,
                          bool transposed) {
  dnnl::memory::dims sizes{rows, columns};
  dnnl::memory::dims strides = transposed ? dnnl::memory::dims{1, rows} : dnnl::memory::dims{columns, 1};
  if (batch > 1) {
    sizes.insert(sizes.begin(), batch);
    strides.insert(strides.begin(), rows * columns);
  }
  return {sizes, type, strides};
}

dnnl::matmul::primitive_desc describe(const Problem& problem, const dnnl::engine& engine) {
  const DnnlType type = operand_type(problem.dtype).value();
  const auto& p = problem;
  return {dnnl::matmul::desc(matrix(p.batch, p.m, p.k, type, p.a_is_transposed()),
                             matrix(p.batch, p.k, p.n, type, p.b_is_transposed()),
                             matrix(p.batch, p.m, p.n, output_type(p.output()), false)),
          engine};
}

core::Error refusal(const dnnl::error& error, const std::string& doing) {
  return {core::ErrorKind::onednn, fmt::format("{}: oneDNN says '{}'", doing, error.message), error.status};
}

class OneDnnProduct final : public HostProduct {
 public:
  explicit OneDnnProduct(const Problem& problem)
      : engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        description_(describe(problem, engine_)),
        product_(description_),
        a_(description_.src_desc(), engine_, nullptr),
        b_(description_.weights_desc(), engine_, nullptr),
        c_(description_.dst_desc(), engine_, nullptr) {}

  void multiply(const HostOperands& operands) override {
    a_.set_data_handle(operands.a, stream_);
    b_.set_data_handle(operands.b, stream_);
    c_.set_data_handle(operands.c, stream_);
    product_.execute(stream_, {{DNNL_ARG_SRC, a_}, {DNNL_ARG_WEIGHTS, b_}, {DNNL_ARG_DST, c_}});
    stream_.wait();
  }

  std::string algorithm() const override { return description_.impl_info_str(); }

 private:
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul::primitive_desc description_;
  dnnl::matmul product_;
  dnnl::memory a_, b_, c_;
};

class OneDnn final : public HostLibrary {
 public:
  std::string version() const override {
    const dnnl_version_t* version = dnnl_version();
    return fmt::format("oneDNN {}.{}.{}", version->major, version->minor, version->patch);
  }

  std::optional<std::string> unsupported(const Problem& problem) const override {
    const std::string what =
        fmt::format("{} matmul ({}) on this CPU", to_string(problem.dtype), to_string(problem.pass));
    if (!operand_type(problem.dtype)) return fmt::format("{} has no {}", version(), what);
    if (problem.dtype == Dtype::int8 && !adds_products_in_32_bits())
      return fmt::format("{} adds products in 16 bits, which overflow, for {}: it has no VNNI", version(),
                         what);
    try {
      describe(problem, dnnl::engine(dnnl::engine::kind::cpu, 0));
    } catch (const dnnl::error& error) {
      return fmt::format("{} has no {}: {}", version(), what, dnnl_status2str(error.status));
    }
    return std::nullopt;
  }

  std::unique_ptr<HostProduct> prepare(const Problem& problem, int) const override {
    try {
      return std::make_unique<OneDnnProduct>(problem);
    } catch (const dnnl::error& error) {
      throw refusal(error, "prepare a matmul");
    }
  }
};

}  // namespace

const HostLibrary& onednn() {
  static const OneDnn library;
  return library;
}

}  // namespace assay::workload
