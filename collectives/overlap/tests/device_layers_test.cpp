// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Products of layers, on the simulated GPU by a simulated cuBLASLt.
#include "collectives/overlap/device_layers.hpp"

#include <gtest/gtest.h>

#include "harness/cuda/handles.hpp"

namespace assay::collectives {
namespace {

void compute(const DeviceLayers& layers, std::initializer_list<int> which) {
  const cuda::Stream stream = cuda::make_stream();
  for (const int layer : which) layers.enqueue(layer, stream.get());
  ASSERT_EQ(cudaStreamSynchronize(stream.get()), cudaSuccess);
}

TEST(DeviceLayers, AreRightWhereEachComputesWhatItDidAlone) {
  for (const bool is_backward : {false, true}) {
    DeviceLayers layers({.width = 48, .tokens = 20, .backward = is_backward}, 3);
    layers.spoil();
    compute(layers, {0, 1, 2});
    EXPECT_EQ(layers.wrong(), std::nullopt);
  }
}

TEST(DeviceLayers, NameALayerThatWasNotComputed) {
  DeviceLayers layers({.width = 48, .tokens = 20, .backward = true}, 3);
  layers.spoil();
  compute(layers, {0, 2});
  EXPECT_EQ(layers.wrong(), "layer 1: the product NN is not what it was alone");
}

}  // namespace
}  // namespace assay::collectives
