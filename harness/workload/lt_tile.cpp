// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/lt_tile.hpp"

#include <algorithm>
#include <vector>

namespace assay::workload {
namespace {

/// The first 35 have no order; those after them, in cublasLt.h 13, are all multiples of a step up to an area,
/// less the ones that stand before.
std::vector<LtTile> all_tiles() {
  std::vector<LtTile> all = {
      {8, 8},    {8, 16},    {16, 8},    {8, 32},    {16, 16},   {32, 8},    {8, 64},   {16, 32},  {32, 16},
      {64, 8},   {32, 32},   {32, 64},   {64, 32},   {32, 128},  {64, 64},   {128, 32}, {64, 128}, {128, 64},
      {64, 256}, {128, 128}, {256, 64},  {64, 512},  {128, 256}, {256, 128}, {512, 64}, {64, 96},  {96, 64},
      {96, 128}, {128, 160}, {160, 128}, {192, 128}, {128, 192}, {128, 96},  {32, 256}, {256, 32}};
  const auto add_all = [&](int step_rows, int step_columns, int largest_area) {
    constexpr int longest = 768;
    for (int rows = step_rows; rows <= longest; rows += step_rows)
      for (int columns = step_columns; columns <= longest && rows * columns <= largest_area;
           columns += step_columns)
        if (std::ranges::find(all, LtTile{rows, columns}) == all.end()) all.push_back({rows, columns});
  };
  add_all(8, 64, 48 << 10);
  add_all(64, 8, 64 << 10);
  for (const LtTile last : {LtTile{256, 512}, LtTile{256, 1024}, LtTile{512, 512}, LtTile{512, 1024}})
    all.push_back(last);
  return all;
}

}  // namespace

std::optional<LtTile> lt_tile(int id) {
  static const std::vector<LtTile> all = all_tiles();
  if (id < 1 || id > static_cast<int>(all.size())) return std::nullopt;
  return all[static_cast<std::size_t>(id) - 1];
}

}  // namespace assay::workload
