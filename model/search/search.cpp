// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "harness/core/error.hpp"
#include "model/predict/step.hpp"
#include "model/search/remembered_products.hpp"

namespace assay::model {
namespace {

auto ranked(const Execution& e) {
  return std::tuple(e.tensor_par, e.pipeline_par, e.data_par, e.microbatch_size, e.interleaving,
                    e.tensor_par_net, e.pipeline_par_net, e.data_par_net, !e.fused_activation, e.recompute,
                    e.tensor_par_comm, e.seq_par_ag_redo, e.tensor_par_overlap, e.optimizer_sharding,
                    e.data_par_overlap, e.weight_offload, e.activations_offload, e.optimizer_offload,
                    !e.fused_attention, e.expert_par, e.expert_par_net);
}

/// What one thread found.
class Finds {
 public:
  explicit Finds(const SearchOptions& options) : top_(options.top), wants_front_(options.front) {}

  void add(const Step& step, const Execution& execution) {
    add(step.sample_rate, execution);
    if (wants_front_)
      front_.add({step.sample_rate, step.memory.fullest_tier1(), step.required.offload, execution});
  }

  void add(double sample_rate, const Execution& execution) {
    if (best_.size() == top_ && (top_ == 0 || sample_rate < best_.back().sample_rate)) return;
    const Candidate candidate{sample_rate, execution};
    best_.insert(std::upper_bound(best_.begin(), best_.end(), candidate, better), candidate);
    if (best_.size() > top_) best_.pop_back();
  }

  SearchResult counts;
  std::vector<Candidate>& best() { return best_; }
  std::vector<Trade> front() const { return front_.sorted(); }

 private:
  std::size_t top_;
  bool wants_front_;
  std::vector<Candidate> best_;
  ParetoFront front_;
};

/// All configurations of one tensor_par and one microbatch size: they share their blocks' costs.
struct Item {
  std::int64_t tensor_par, microbatch_size;
};

std::vector<Item> items(const Question& question) {
  std::vector<Item> found;
  for (const std::int64_t t : tensor_degrees(question)) {
    std::set<std::int64_t> sizes;
    for (const Split& split : splits(question, t))
      for (const std::int64_t b : microbatches(question, t, split)) sizes.insert(b);
    for (const std::int64_t b : sizes) found.push_back({t, b});
  }
  return found;
}

struct PricedChoice {
  Execution choice;
  BlockCost block;
};

/// What is tried around every block choice of a layout with data parallelism, or without.
struct AroundSets {
  std::vector<Around> kept, recomputed;  // where all is recomputed there are no activations to offload
  std::int64_t configurations = 0;       // of one layout

  AroundSets(const Question& question, std::int64_t tensor_par, std::int64_t data_par)
      : kept(arounds(question, data_par, Recompute::none)),
        recomputed(arounds(question, data_par, Recompute::full)) {
    for (const Execution& choice : block_choices(question, tensor_par))
      configurations += static_cast<std::int64_t>(of(choice).size());
  }
  const std::vector<Around>& of(const Execution& choice) const {
    return choice.recompute == Recompute::full ? recomputed : kept;
  }
};

class ItemSearch {
 public:
  ItemSearch(const Question& question, const Constraints& constraints, const Item& item, Finds& finds)
      : question_(question),
        constraints_(constraints),
        item_(item),
        finds_(finds),
        alone_(question, item.tensor_par, 1),
        parallel_(question, item.tensor_par, 2) {}

  void run() {
    for (std::size_t tier = 0; tier < tiers(question_, item_.tensor_par); ++tier) {
      priced_.clear();
      for (const Execution& layout : layouts(tier)) search_layout(layout);
    }
  }

 private:
  /// What blocks cost in this layout: it shares them with all others of its experts' place.
  const std::vector<PricedChoice>& choices_of(const Execution& layout) {
    const auto [found, fresh] = priced_.try_emplace(ExpertPlace{layout.expert_par, layout.expert_par_net});
    if (fresh) found->second = price_choices(layout);
    return found->second;
  }

  std::vector<PricedChoice> price_choices(const Execution& layout) const {
    std::vector<PricedChoice> priced;
    for (Execution choice : block_choices(question_, item_.tensor_par)) {
      choice.microbatch_size = item_.microbatch_size;
      choice.tensor_par_net = layout.tensor_par_net;
      choice.expert_par = layout.expert_par;
      choice.expert_par_net = layout.expert_par_net;
      choice.data_par = layout.expert_par;  // the smallest that has space for them
      choice.num_procs = item_.tensor_par * choice.data_par;
      choice.batch_size = item_.microbatch_size * choice.data_par;
      if (!misfit(question_.application, choice, question_.system).empty()) continue;
      priced.push_back({choice, block_cost(question_.application, choice, question_.system)});
    }
    return priced;
  }

  /// Every split, place and interleaving that the networks' sizes and the constraints allow.
  std::vector<Execution> layouts(std::size_t tensor_tier) const {
    std::vector<Execution> found;
    for (const Split& split : splits(question_, item_.tensor_par)) {
      if (split.batch_size / split.data_par % item_.microbatch_size != 0) continue;
      const std::vector<std::int64_t> chunks = interleavings(question_, split);
      for (Execution layout : places(split, tensor_tier))
        for (const std::int64_t v : chunks) {
          layout.interleaving = v;
          if (constraints_.allow(layout)) found.push_back(layout);
        }
    }
    return found;
  }

  /// The split on every choice of tiers that the networks' sizes allow, with its experts on theirs.
  std::vector<Execution> places(const Split& split, std::size_t tensor_tier) const {
    std::vector<Execution> found;
    Execution place;
    place.num_procs = question_.processors;
    place.tensor_par = item_.tensor_par;
    place.tensor_par_net = tensor_tier;
    place.pipeline_par = split.pipeline_par;
    place.data_par = split.data_par;
    place.batch_size = split.batch_size;
    place.microbatch_size = item_.microbatch_size;
    const std::vector<ExpertPlace> experts = expert_places(question_, split.data_par);
    for (std::size_t pipeline = 0; pipeline < tiers(question_, split.pipeline_par); ++pipeline)
      for (std::size_t data = 0; data < tiers(question_, split.data_par); ++data) {
        place.pipeline_par_net = pipeline;
        place.data_par_net = data;
        for (const auto& [expert_par, net] : experts) {
          place.expert_par = expert_par;
          place.expert_par_net = net;
          if (fits_layout(question_.application, place, question_.system).feasible()) found.push_back(place);
        }
      }
    return found;
  }

  void search_layout(const Execution& layout) {
    const AroundSets& sets = layout.data_par > 1 ? parallel_ : alone_;
    finds_.counts.placed += sets.configurations;
    for (const PricedChoice& priced : choices_of(layout))
      search_choice(priced, layout, sets.of(priced.choice));
  }

  void search_choice(const PricedChoice& priced, const Execution& layout, const std::vector<Around>& around) {
    Execution e = priced.choice;
    e.num_procs = layout.num_procs;
    e.pipeline_par = layout.pipeline_par;
    e.data_par = layout.data_par;
    e.pipeline_par_net = layout.pipeline_par_net;
    e.data_par_net = layout.data_par_net;
    e.batch_size = layout.batch_size;
    e.interleaving = layout.interleaving;
    const Schedule schedule(question_.application, e);
    for (const Around& option : around) {
      e.optimizer_sharding = option.optimizer_sharding;
      e.data_par_overlap = option.data_par_overlap;
      e.weight_offload = option.weight_offload;
      e.activations_offload = option.activations_offload;
      e.optimizer_offload = option.optimizer_offload;
      if (e.any_offload() && schedule.blocks < 3) continue;
      if (!evaluate_laid_out(e, question_.system, priced.block, schedule, step_).feasible()) continue;
      if (!constraints_.allow(step_)) continue;
      ++finds_.counts.feasible;
      finds_.add(step_, e);
    }
  }

  const Question& question_;
  const Constraints& constraints_;
  Item item_;
  Finds& finds_;
  AroundSets alone_, parallel_;
  std::map<ExpertPlace, std::vector<PricedChoice>> priced_;  // on the current tensor tier
  Step step_;
};

void require_datatype(const Question& question) {
  const auto type = static_cast<std::size_t>(question.datatype);
  if (question.system.matrix[type] && question.system.vector[type]) return;
  core::usage_error(fmt::format("the system's matrix and vector have no '{}'", datatype_names[type]));
}

}  // namespace

bool better(const Candidate& left, const Candidate& right) {
  if (left.sample_rate != right.sample_rate) return left.sample_rate > right.sample_rate;
  return ranked(left.execution) < ranked(right.execution);
}

SearchResult search(const Question& question, const SearchOptions& options) {
  require_datatype(question);
  const std::vector<Item> work = items(question);
  std::atomic<std::size_t> next{0};
  std::vector<Finds> finds(options.threads, Finds(options));
  {
    std::vector<std::jthread> workers;
    for (Finds& mine : finds)
      workers.emplace_back([&] {
        const Question own = with_remembered_products(question);
        for (std::size_t i = next++; i < work.size(); i = next++)
          ItemSearch(own, options.constraints, work[i], mine).run();
      });
  }
  SearchResult result;
  ParetoFront front;
  result.enumerated = count_space(question);
  for (Finds& of_thread : finds) {
    result.placed += of_thread.counts.placed;
    result.feasible += of_thread.counts.feasible;
    result.best.insert(result.best.end(), of_thread.best().begin(), of_thread.best().end());
    for (const Trade& trade : of_thread.front()) front.add(trade);
  }
  result.front = front.sorted();
  std::sort(result.best.begin(), result.best.end(), better);
  if (result.best.size() > options.top) result.best.resize(options.top);
  return result;
}

}  // namespace assay::model
