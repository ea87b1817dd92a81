// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/pipeline_orders.hpp"

#include <algorithm>

namespace assay::model {
namespace {

using Order = std::vector<PipelineStep>;

/// Chunk by chunk in rounds of as many microbatches as there are stages.
PipelinePass interleaved_pass(const PipelineShape& shape, int stage, int number, bool backward) {
  const int round = shape.stages * shape.chunks;
  const int chunk = number % round / shape.stages;
  const int place = (backward ? shape.chunks - 1 - chunk : chunk) * shape.stages + stage;
  return {.kind = backward ? PassKind::whole_backward : PassKind::forward,
          .place = place,
          .microbatch = number / round * shape.stages + number % shape.stages};
}

Order interleaved_order(const PipelineShape& shape, int stage) {
  const int all = shape.microbatches * shape.chunks;
  const int warm = shape.chunks == 1 ? shape.stages - 1 - stage
                                     : 2 * (shape.stages - 1 - stage) + (shape.chunks - 1) * shape.stages;
  const int before = std::min(all, warm);
  Order order;
  for (int i = 0; i < before; ++i) order.emplace_back(interleaved_pass(shape, stage, i, false));
  for (int i = 0; i < all; ++i) {
    if (i + before < all) order.emplace_back(interleaved_pass(shape, stage, i + before, false));
    order.emplace_back(interleaved_pass(shape, stage, i, true));
  }
  return order;
}

/// 1F1B whose weights' passes are put off until as many backward passes have gone as stages come before, so
/// that those continue at once and none keeps more than 1F1B.
Order zero_bubble_order(const PipelineShape& shape, int stage) {
  Order order;
  int weights = 0;
  const auto add = [&](PassKind kind, int microbatch) {
    order.emplace_back(PipelinePass{.kind = kind, .place = stage, .microbatch = microbatch});
  };
  const int warm = std::min(shape.microbatches, shape.stages - 1 - stage);
  for (int i = 0; i < warm; ++i) add(PassKind::forward, i);
  for (int i = 0; i < shape.microbatches; ++i) {
    if (i + warm < shape.microbatches) add(PassKind::forward, i + warm);
    add(PassKind::backward, i);
    const bool drains = i + warm >= shape.microbatches;
    if (i >= stage || drains) add(PassKind::weights, weights++);
  }
  while (weights < shape.microbatches) add(PassKind::weights, weights++);
  return order;
}

/// One processor of DualPipe: `near` counts from the nearer end. Direction 0 is that whose microbatches enter
/// at that end.
class DualPipeOrder {
 public:
  DualPipeOrder(const PipelineShape& shape, int stage)
      : shape_(shape), stage_(stage), flipped_(stage >= shape.stages / 2) {}

  Order build() {
    const int half = shape_.stages / 2, each = shape_.microbatches / 2;
    const int near = std::min(stage_, shape_.stages - 1 - stage_), far = half - near - 1;
    repeat(2 * far, [&] { forward(0); });
    repeat(near + 1, [&] { forward(0), forward(1); });
    repeat(far, [&] { backward(1, true), weights(), forward(1); });
    repeat(each - shape_.stages + near + 1, [&] { both(0, 1), both(1, 0); });
    repeat(far, [&] { backward(1, false), both(1, 0); });
    bool splits = false;
    for (int i = 0; i < near + 1; ++i) {
      if (i == (near + 1) / 2 && near % 2 == 1) splits = true;
      backward(1, splits);
      if (i == (near + 1) / 2 && near % 2 == 0) splits = true;
      backward(0, splits);
    }
    repeat(far, [&] { weights(), backward(0, true); });
    repeat(near + 1, [&] { weights(); });
    return std::move(order_);
  }

 private:
  template <typename Do>
  static void repeat(int times, Do what) {
    for (int i = 0; i < times; ++i) what();
  }

  PipelinePass pass(PassKind kind, int from, std::array<int, 2>& done) {
    const int direction = flipped_ ? 1 - from : from;
    const int place = direction == 0 ? stage_ : shape_.stages - 1 - stage_;
    return {.kind = kind,
            .place = place,
            .microbatch = done[static_cast<std::size_t>(direction)]++,
            .direction = direction};
  }
  void forward(int from) { order_.emplace_back(pass(PassKind::forward, from, forwards_)); }
  void backward(int from, bool splits) {
    waiting_ += splits ? 1 : 0;
    order_.emplace_back(pass(splits ? PassKind::backward : PassKind::whole_backward, from, backwards_));
  }
  void both(int forward_from, int backward_from) {
    order_.emplace_back(pass(PassKind::forward, forward_from, forwards_),
                        pass(PassKind::whole_backward, backward_from, backwards_));
  }
  void weights() {
    if (waiting_ == 0) return;
    --waiting_;
    order_.emplace_back(PipelinePass{.kind = PassKind::weights});
  }

  PipelineShape shape_;
  int stage_;
  bool flipped_;
  int waiting_ = 0;  // backward passes whose weights' are not done
  std::array<int, 2> forwards_ = {}, backwards_ = {};
  Order order_;
};

}  // namespace

std::vector<std::vector<PipelineStep>> pipeline_orders(const PipelineShape& shape) {
  std::vector<Order> orders;
  for (int stage = 0; stage < shape.stages; ++stage) {
    if (shape.schedule == PipelineSchedule::zero_bubble)
      orders.push_back(zero_bubble_order(shape, stage));
    else if (shape.schedule == PipelineSchedule::dualpipe)
      orders.push_back(DualPipeOrder(shape, stage).build());
    else
      orders.push_back(interleaved_order(shape, stage));
  }
  return orders;
}

}  // namespace assay::model
