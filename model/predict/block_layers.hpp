// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which layers a transformer block consists of on one processor.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "model/predict/application.hpp"
#include "model/predict/execution.hpp"
#include "model/predict/layer.hpp"

namespace assay::model {

/// A list without allocation: the longest block has 24 layers.
class LayerList {
 public:
  void add(const Layer& layer) { layers_[count_++] = layer; }
  std::span<const Layer> layers() const { return {layers_.data(), count_}; }

 private:
  std::array<Layer, 24> layers_;
  std::size_t count_ = 0;
};

LayerList block_layers(const Application& application, const Execution& execution);

}  // namespace assay::model
