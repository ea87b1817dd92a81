// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The six streaming kernels of STREAM and BabelStream, and the loops that run them on each instruction set.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace assay::memory {

enum class Formula { read, write, copy, scale, add, triad };
enum class Store { temporal, nontemporal };

/// A kernel as its operation on each element, in doubles; `reads` and `writes` are its weights in bytes per
/// element / 8.
struct Kernel {
  Formula formula;
  std::string_view name;      // "copy"
  std::string_view measures;  // one line
  std::string_view text;      // "c[i] = a[i]"
  int reads;
  int writes;
  int arrays() const { return reads + writes; }
};

inline constexpr std::array<Kernel, 6> kernels = {{
    {Formula::read, "read", "bandwidth of loads that are only summed", "sum += a[i]", 1, 0},
    {Formula::write, "write", "bandwidth of stores alone", "c[i] = i + round", 0, 1},
    {Formula::copy, "copy", "bandwidth of one load and one store an element", "c[i] = a[i]", 1, 1},
    {Formula::scale, "scale", "bandwidth of a scaled copy", "c[i] = 3 a[i]", 1, 1},
    {Formula::add, "add", "bandwidth of two loads and one store an element", "c[i] = a[i] + b[i]", 2, 1},
    {Formula::triad, "triad", "bandwidth of STREAM's triad", "c[i] = a[i] + 3 b[i]", 2, 1},
}};

/// One thread's part: `count` is a multiple of `block`, every pointer is aligned to a cache line.
struct Operands {
  double* c = nullptr;
  const double* a = nullptr;
  const double* b = nullptr;
  std::size_t count = 0;
  double scalar = 0;  // factor of scale and triad; first value that write stores
};

inline constexpr std::size_t block = 64;  // elements: 8 cache lines, the unroll of the widest loop

/// Runs once over the part; the stores are globally visible on return. Returns the sum for read, 0 otherwise.
using Loop = double (*)(Operands);

struct InstructionSet {
  std::string_view name;                                  // "avx512"
  std::array<std::array<Loop, 2>, kernels.size()> loops;  // by Formula, by Store
  Loop loop(Formula formula, Store store) const {
    return loops[static_cast<std::size_t>(formula)][static_cast<std::size_t>(store)];
  }
};

extern const InstructionSet avx512_loops, avx2_loops, sse2_loops;

/// Those this processor executes, widest first; SSE2 is always among them.
std::vector<const InstructionSet*> instruction_sets();
/// Place of the least of these times, except that a later one must undercut an earlier one by 2 %: less may
/// be luck.
std::size_t clearly_fastest(std::span<const double> seconds);
/// The one of them with that name, or null.
const InstructionSet* instruction_set_named(std::string_view name);

}  // namespace assay::memory
