// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explain/lint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "model/explain/multiples.hpp"
#include "model/predict/system/doubtful_system.hpp"

namespace assay::model {
namespace {

constexpr std::array<std::int64_t, 5> usual_degrees = {2, 4, 8, 16, 32};
/// Edge of the tiles that GEMM kernels of tensor cores work in; a dimension that is not a multiple leaves the
/// last one partly empty (NVIDIA's matrix multiplication guide, DU-09799-001).
constexpr std::int64_t tile = 128;
/// Widths of heads that attention kernels are made for are its multiples (arXiv:2401.14489).
constexpr std::int64_t head_width = 64;
/// A pipeline of this depth and all shallower powers of two should divide the blocks.
constexpr std::int64_t usual_depth = 8;

/// A table that gives the model's own GEMMs less than this share of what it gives large ones gets a warning.
constexpr double noticeable = 0.85;

class Remarks {
 public:
  template <typename... Arguments>
  void warn(const char* key, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    all_.push_back({true, key, fmt::format(text, std::forward<Arguments>(arguments)...)});
  }
  template <typename... Arguments>
  void note(const char* key, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    all_.push_back({false, key, fmt::format(text, std::forward<Arguments>(arguments)...)});
  }
  std::vector<Remark> all() && { return std::move(all_); }

 private:
  std::vector<Remark> all_;
};

/// The divisor that limits how a search can divide the model: see tensor_degrees() and misfit().
std::int64_t common(const Application& a) {
  return std::gcd(std::gcd(a.hidden, a.attn_heads), a.feedforward);
}

std::int64_t power_of_two_in(std::int64_t number) { return number & -number; }

void check_degrees(const Application& a, Remarks& remarks) {
  std::vector<std::int64_t> by_heads, by_feedforward;
  for (const std::int64_t t : usual_degrees) {
    if (a.attn_heads % t != 0)
      by_heads.push_back(t);
    else if (a.feedforward % t != 0)
      by_feedforward.push_back(t);
  }
  if (!by_heads.empty() && by_heads.front() <= usual_depth)
    remarks.warn("attn_heads", "{} heads cannot be split {} ways: take a multiple of {}", a.attn_heads,
                 fmt::join(by_heads, ", "), usual_depth);
  else if (!by_heads.empty())
    remarks.note("attn_heads", "{} heads cannot be split {} ways", a.attn_heads, fmt::join(by_heads, ", "));
  if (!by_feedforward.empty())
    remarks.warn("feedforward", "{} cannot be split {} ways, as heads can: take a multiple of {}",
                 a.feedforward, fmt::join(by_feedforward, ", "), by_feedforward.back());
}

void check_tiles(const Application& a, Remarks& remarks) {
  const auto whole = [&](const char* key, std::int64_t value) {
    if (value % tile != 0)
      remarks.warn(
          key, "{} is not a multiple of {}: the last tile of its GEMMs is partly empty; {} is the nearest",
          value, tile, nearest_multiple(value, tile));
    return value % tile == 0;
  };
  whole("hidden", a.hidden);
  whole("seq_size", a.seq_size);
  const std::int64_t t = std::gcd(common(a), usual_depth);
  const auto slice = [&](const char* key, std::int64_t value) {
    if (whole(key, value) && value / t % tile != 0)
      remarks.warn(key,
                   "split {} ways {} is {} wide, not a multiple of {}; {} is the nearest that stays whole", t,
                   value, value / t, tile, nearest_multiple(value, tile * t));
  };
  slice("feedforward", a.feedforward);
  if (a.attn_heads * a.attn_size != a.hidden)
    remarks.note("attn_size", "{} heads of {} make {}, hidden is {}", a.attn_heads, a.attn_size,
                 a.attn_heads * a.attn_size, a.hidden);
  if (a.attn_size % 8 != 0)
    remarks.warn(
        "attn_size",
        "{} is not a multiple of 8: rows of 16-bit heads are not aligned to the 16 bytes of tensor cores",
        a.attn_size);
  else if (a.attn_size % head_width != 0)
    remarks.note("attn_size",
                 "{} is not a multiple of {}, the step of the widths that attention kernels are made for",
                 a.attn_size, head_width);
}

void check_blocks(const Application& a, Remarks& remarks) {
  const std::int64_t power = power_of_two_in(a.num_blocks);
  const auto depths = divisors(a.num_blocks);
  if (power < usual_depth && a.num_blocks > usual_depth)
    remarks.warn(
        "num_blocks",
        "{} has the divisors {}: on powers of two of processors a pipeline is at most {} deep; {} allows {}",
        a.num_blocks, fmt::join(depths, " "), power, nearest_multiple(a.num_blocks, usual_depth),
        power_of_two_in(nearest_multiple(a.num_blocks, usual_depth)));
  else
    remarks.note("num_blocks",
                 "{} has {} divisors: on powers of two of processors a pipeline is up to {} deep",
                 a.num_blocks, depths.size(), power);
}

void check_vocabulary(const Application& a, std::int64_t vocabulary, Remarks& remarks) {
  if (vocabulary == 0) return;
  const std::int64_t step = tile * std::gcd(common(a), usual_depth);
  if (vocabulary % step != 0)
    remarks.warn("vocabulary", "{} is not a multiple of {} (tiles of {}, split {} ways): pad it to {}",
                 vocabulary, step, tile, step / tile, next_multiple(vocabulary, step));
}

struct Gemm {
  const char* name;
  std::int64_t inputs, outputs;
};

/// The GEMM with the fewest FLOPs of the four with weights, split `t` ways.
Gemm smallest_gemm(const Application& a, std::int64_t t) {
  const std::int64_t attention = a.attn_heads * a.attn_size / t, feedforward = a.feedforward / t;
  const Gemm projection{"query, key or value", a.hidden, attention};
  const Gemm mlp{"up into the MLP", a.hidden, feedforward};
  return attention <= feedforward ? projection : mlp;
}

double efficiency(const Engine& engine, double flops) {
  return flops / (engine.by_flop.seconds(flops) * engine.peak_flop_per_s);
}

void check_domain(const Application& a, const Network& tier, Remarks& remarks) {
  const std::int64_t t = std::gcd(common(a), tier.size);
  if (t < tier.size && tier.size <= usual_degrees.back())
    remarks.warn("networks[0].size", "at most {} of its {} processors can split a block", t, tier.size);
}

void check_efficiency(const Application& a, const System& system, const Engine& engine, Remarks& remarks) {
  const std::int64_t t = std::gcd(common(a), system.networks[0].size);
  const Gemm gemm = smallest_gemm(a, t);
  const double flops = 2 * static_cast<double>(a.seq_size) * static_cast<double>(gemm.inputs) *
                       static_cast<double>(gemm.outputs);
  constexpr double large = 1e18;
  const double share = efficiency(engine, flops), best = efficiency(engine, large);
  if (share < noticeable * best)
    remarks.warn(
        "matrix",
        "split {} ways, one sequence's GEMM {} x {} x {} ({}) has {:.3g} GFLOP: {:.0f} % of peak in the "
        "table, {:.0f} % for large ones",
        t, a.seq_size, gemm.outputs, gemm.inputs, gemm.name, flops * 1e-9, 100 * share, 100 * best);
}

}  // namespace

std::vector<Remark> lint(const Application& application, std::int64_t vocabulary) {
  Remarks remarks;
  check_degrees(application, remarks);
  check_tiles(application, remarks);
  check_blocks(application, remarks);
  check_vocabulary(application, vocabulary, remarks);
  return std::move(remarks).all();
}

std::vector<Remark> lint(const Application& application, const System& system, Datatype datatype) {
  Remarks remarks;
  check_domain(application, system.networks[0], remarks);
  const auto& engine = system.matrix[static_cast<std::size_t>(datatype)];
  if (engine) check_efficiency(application, system, *engine, remarks);
  for (const DoubtfulNumber& one : doubtful_numbers(system)) remarks.warn(one.key.c_str(), "{}", one.why);
  return std::move(remarks).all();
}

}  // namespace assay::model
