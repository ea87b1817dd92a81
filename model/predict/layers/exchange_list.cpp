// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/layers/exchange_list.hpp"

#include <algorithm>

namespace assay::model {
namespace {

class ExchangeList final : public LayerSink {
 public:
  ExchangeList(const Execution& execution, const System& system, bool edge)
      : execution_(execution), model_(execution, system), edge_(edge) {}

  void add(const Layer& layer) override {
    add(layer, Direction::forward);
    if (!execution_.training) return;
    add(layer, Direction::backward);
    if (layer.exchange_repeated) add(layer, Direction::repeated);
  }

  std::vector<ListedExchange> all;
  double share = 1;  // of the blocks that are of this kind

 private:
  void add(const Layer& layer, Direction direction) {
    const bool dispatches = layer.exchange == Exchange::dispatch;
    const auto operation =
        dispatches ? std::optional(Collective::all_to_all) : model_.operation(layer, direction, edge_);
    const std::int64_t members = dispatches ? execution_.expert_par : execution_.tensor_par;
    if (!operation || members == 1 || layer.exchange_bytes <= 0) return;
    const auto same = std::ranges::find_if(all, [&](const ListedExchange& one) {
      return one.direction == direction && one.operation == *operation && one.between_experts == dispatches &&
             one.bytes == layer.exchange_bytes;
    });
    if (same != all.end())
      same->count += share;
    else
      all.push_back({direction, *operation, dispatches, layer.exchange_bytes, share});
  }

  const Execution& execution_;
  ExchangeModel model_;
  bool edge_;
};

}  // namespace

std::vector<ListedExchange> exchanges_of_block(const Application& application, const Execution& execution,
                                               const System& system, bool edge) {
  ExchangeList list(execution, system, edge);
  for (const Application& kind : kinds_of(application)) {
    list.share = static_cast<double>(kind.num_blocks) / static_cast<double>(application.num_blocks);
    add_block_layers(kind, execution, system.fixes, list);
  }
  return std::move(list.all);
}

}  // namespace assay::model
