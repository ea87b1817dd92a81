// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Schedule of a pipeline of blocks: fetched, computed and written back in order, through a fixed number of
// near slots. Block i uses slot i modulo `resident`, for its weights and for its activations.
#pragma once

namespace assay::offload {

struct PipelineShape {
  int blocks = 1;
  int resident = 2;  // slots: with two, one block computes while the other is under way
};

/// Blocks that are through each stage.
struct Progress {
  int fetched = 0, computed = 0, written = 0;
};

/// The block whose slot `block` takes over; negative: the slot was empty.
constexpr int slot_from(const PipelineShape& shape, int block) { return block - shape.resident; }

/// Weights go where those of the block `resident` before were used up.
constexpr bool may_fetch(const PipelineShape& shape, const Progress& progress) {
  return progress.fetched < shape.blocks && progress.computed > slot_from(shape, progress.fetched);
}

/// Activations go where those of the block `resident` before were written back.
constexpr bool may_compute(const PipelineShape& shape, const Progress& progress) {
  return progress.computed < progress.fetched && progress.written > slot_from(shape, progress.computed);
}

constexpr bool may_write(const PipelineShape&, const Progress& progress) {
  return progress.written < progress.computed;
}

constexpr bool all_written(const PipelineShape& shape, const Progress& progress) {
  return progress.written == shape.blocks;
}

}  // namespace assay::offload
