// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/pipeline.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "model/predict/step/pipeline_orders.hpp"

namespace assay::model {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// When each pass ended: of every place along the pipeline and microbatch.
class Ends {
 public:
  Ends(int places, int microbatches)
      : microbatches_(microbatches),
        ends_s_(static_cast<std::size_t>(places) * static_cast<std::size_t>(microbatches), never) {}

  double& at(int place, int microbatch) {
    return ends_s_[(static_cast<std::size_t>(place) * static_cast<std::size_t>(microbatches_)) +
                   static_cast<std::size_t>(microbatch)];
  }

 private:
  int microbatches_;
  std::vector<double> ends_s_;
};

class PipelineRun {
 public:
  PipelineRun(const PipelineShape& shape, const PassTimes& times)
      : shape_(shape),
        orders_(pipeline_orders(shape)),
        places_(shape.stages * shape.chunks),
        forward_(2 * places_, shape.microbatches),
        backward_(2 * places_, shape.microbatches) {
    const double chunks = shape.chunks;
    times_ = {times.forward_s / chunks, times.backward_s / chunks, times.weights_s / chunks};
  }

  /// Every processor takes its passes in its order, each as soon as what it needs is there.
  double span_s() {
    std::vector<std::size_t> next(orders_.size(), 0);
    std::vector<double> free_s(orders_.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t processor = 0; processor < orders_.size(); ++processor)
        while (next[processor] < orders_[processor].size()) {
          const double end_s = run(orders_[processor][next[processor]], free_s[processor]);
          if (end_s == never) break;
          free_s[processor] = end_s;
          ++next[processor];
          moved = true;
        }
    }
    return std::ranges::max(free_s);
  }

 private:
  /// The end of a step that begins at `from_s` or later; never where what it needs is not known yet.
  double run(const PipelineStep& step, double from_s) {
    double seconds = 0;
    for (const PipelinePass& pass : step.passes()) {
      from_s = std::max(from_s, ready_s(pass));
      seconds += pass.kind == PassKind::forward ? times_.forward_s
                 : pass.kind == PassKind::weights
                     ? times_.weights_s
                     : times_.backward_s + (pass.kind == PassKind::whole_backward ? times_.weights_s : 0);
    }
    if (from_s == never) return never;
    for (const PipelinePass& pass : step.passes())
      if (pass.kind == PassKind::forward)
        forward_.at(row(pass), pass.microbatch) = from_s + seconds;
      else if (pass.kind != PassKind::weights)
        backward_.at(row(pass), pass.microbatch) = from_s + seconds;
    return from_s + seconds;
  }

  int row(const PipelinePass& pass) const { return pass.direction * places_ + pass.place; }

  double ready_s(const PipelinePass& pass) {
    if (pass.kind == PassKind::weights) return 0;
    if (pass.kind == PassKind::forward)
      return pass.place == 0 ? 0 : forward_.at(row(pass) - 1, pass.microbatch);
    const double own_s = forward_.at(row(pass), pass.microbatch);
    return pass.place == places_ - 1 ? own_s : std::max(own_s, backward_.at(row(pass) + 1, pass.microbatch));
  }

  PipelineShape shape_;
  PassTimes times_;
  std::vector<std::vector<PipelineStep>> orders_;
  int places_;
  Ends forward_, backward_;
};

}  // namespace

double pipeline_span_s(const PipelineShape& shape, const PassTimes& times) {
  return PipelineRun(shape, times).span_s();
}

double pipeline_bubble_s(PipelineShape shape, const PassTimes& times) {
  shape.microbatches = std::min(shape.microbatches, 4 * shape.stages);
  const double work_s = shape.microbatches * (times.forward_s + times.backward_s + times.weights_s);
  return std::max(0.0, pipeline_span_s(shape, times) - work_s);
}

}  // namespace assay::model
