// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/loads.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/integrity/digest.hpp"
#include "harness/workload/checked_product.hpp"
#include "harness/workload/host_library.hpp"
#include "offload/arena_of.hpp"

namespace assay::offload {
namespace {

constexpr std::array<std::pair<const char*, LoadKind>, 5> load_names{{{"gemm", LoadKind::gemm},
                                                                      {"stream", LoadKind::stream},
                                                                      {"copy", LoadKind::copy},
                                                                      {"copy_back", LoadKind::copy_back},
                                                                      {"spin", LoadKind::spin}}};

workload::Problem square(const LoadSettings& settings) {
  return {.m = settings.gemm_size, .n = settings.gemm_size, .k = settings.gemm_size, .dtype = settings.dtype};
}

/// The part of an array that the next quantum works on; they go round.
struct Window {
  Window(std::size_t all, std::size_t most) : size(std::min(all, most)), count(all / size * size) {}

  /// Returns where this part begins, and moves to the next.
  std::size_t advance() {
    const std::size_t begin = next;
    next = begin + size == count ? 0 : begin + size;
    touched = std::max(touched, begin + size);
    return begin;
  }

  std::size_t size, count;
  std::size_t next = 0, touched = 0;
};

class Gemm final : public Load {
 public:
  explicit Gemm(const LoadSettings& settings)
      : memory_(arena_of(static_cast<std::int64_t>(workload::CheckedProduct::bytes(square(settings))),
                         settings.near_node)),
        product_(square(settings), {memory_.data(), memory_.size()}) {}
  void quantum() override { product_.multiply(); }
  std::optional<std::string> wrong() override { return product_.wrong(); }

 private:
  host::Arena memory_;
  workload::CheckedProduct product_;
};

class Triad final : public Load {
 public:
  explicit Triad(const LoadSettings& settings)
      : memory_(arena_of(settings.bytes, settings.near_node)),
        window_(memory_.as<double>().size() / 3, std::size_t{32} << 10),
        a_(memory_.as<double>().data()),
        b_(a_ + window_.count),
        c_(b_ + window_.count) {
    for (std::size_t i = 0; i < window_.count; ++i) {
      a_[i] = static_cast<double>(i % 1021);
      b_[i] = static_cast<double>(i % 509);
      c_[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  void quantum() override {
    const std::size_t begin = window_.advance();
    for (std::size_t i = begin; i < begin + window_.size; ++i) c_[i] = a_[i] + 3 * b_[i];
  }
  double quantum_bytes() const override { return static_cast<double>(3 * window_.size * sizeof(double)); }
  std::optional<std::string> wrong() override {
    for (std::size_t i = 0; i < window_.touched; ++i) {
      const auto expected = static_cast<double>(i % 1021 + 3 * (i % 509));
      if (!(c_[i] == expected))
        return fmt::format("stream: element {} is {}, expected {}", i, c_[i], expected);
    }
    return std::nullopt;
  }

 private:
  host::Arena memory_;
  Window window_;
  double *a_, *b_, *c_;
};

class Copy final : public Load {
 public:
  Copy(std::int64_t bytes, int from_node, int to_node)
      : from_(arena_of(bytes / 2, from_node)),
        to_(arena_of(bytes / 2, to_node)),
        window_(from_.size(), std::size_t{1} << 20) {
    const auto words = from_.as<std::uint64_t>();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = i * integrity::golden_step;
    std::memset(to_.data(), 0xff, to_.size());
  }
  void quantum() override {
    const std::size_t begin = window_.advance();
    std::memcpy(to_.data() + begin, from_.data() + begin, window_.size);
  }
  double quantum_bytes() const override { return 2 * static_cast<double>(window_.size); }
  std::optional<std::string> wrong() override {
    if (std::memcmp(to_.data(), from_.data(), window_.touched) == 0) return std::nullopt;
    return "the copy is not what was copied";
  }

 private:
  host::Arena from_, to_;
  Window window_;
};

class Spin final : public Load {
 public:
  void quantum() override {
    for (int i = 0; i < 100'000; ++i) {
      state_ = state_ * 6364136223846793005U + 1442695040888963407U;
      asm volatile("" : "+r"(state_));  // or the compiler would skip ahead
    }
  }
  std::optional<std::string> wrong() override { return std::nullopt; }

 private:
  std::uint64_t state_ = 1;
};

}  // namespace

std::string to_string(LoadKind kind) {
  for (const auto& [word, value] : load_names)
    if (value == kind) return word;
  return "?";
}

std::vector<std::string> all_loads() {
  std::vector<std::string> words;
  for (const auto& [word, kind] : load_names) words.emplace_back(word);
  return words;
}

std::vector<std::string> all_victims() {
  std::vector<std::string> words = all_loads();
  words.pop_back();
  return words;
}

LoadKind load_from(const std::string& axis, const std::string& word) {
  for (const auto& [name, kind] : load_names)
    if (name == word && (axis != "victim" || kind != LoadKind::spin)) return kind;
  core::usage_error(fmt::format("{} '{}': expected one of {}", axis, word,
                                fmt::join(axis == "victim" ? all_victims() : all_loads(), ", ")));
}

std::optional<std::string> not_built(LoadKind kind, const LoadSettings& settings) {
  if (kind != LoadKind::gemm) return std::nullopt;
  return workload::host_library(settings.dtype).not_built();
}

std::optional<std::string> unsupported(LoadKind kind, const LoadSettings& settings) {
  if (kind != LoadKind::gemm) return std::nullopt;
  return workload::host_library(settings.dtype).unsupported(square(settings));
}

std::int64_t memory_bytes(LoadKind kind, const LoadSettings& settings) {
  const workload::Problem problem = square(settings);
  switch (kind) {
    case LoadKind::gemm:
      return problem.a_bytes() + problem.b_bytes() + 2 * problem.output_bytes();
    case LoadKind::stream:
    case LoadKind::copy:
    case LoadKind::copy_back:
      return settings.bytes;
    case LoadKind::spin:
      break;
  }
  return 0;
}

std::unique_ptr<Load> make_load(LoadKind kind, const LoadSettings& settings) {
  switch (kind) {
    case LoadKind::gemm:
      return std::make_unique<Gemm>(settings);
    case LoadKind::stream:
      return std::make_unique<Triad>(settings);
    case LoadKind::copy:
      return std::make_unique<Copy>(settings.bytes, settings.far_node, settings.near_node);
    case LoadKind::copy_back:
      return std::make_unique<Copy>(settings.bytes, settings.near_node, settings.far_node);
    case LoadKind::spin:
      break;
  }
  return std::make_unique<Spin>();
}

}  // namespace assay::offload
