// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/search.hpp"

#include <fmt/format.h>

#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/process/side_by_side.hpp"
#include "model/search/item_search.hpp"
#include "model/search/remembered_products.hpp"

namespace assay::model {
namespace {

/// One thread's. Its question works out each measured product once.
struct Worker {
  Question question;
  Finds finds;
};

class ParallelSearch {
 public:
  ParallelSearch(const Question& question, const SearchOptions& options)
      : question_(question),
        options_(options),
        arounds_(question),
        task_{.arounds = arounds_,
              .constraints = options.constraints,
              .top = options.top,
              .front = options.front},
        items_(items(question)) {
    for (unsigned i = 0; i < std::max(1U, options.threads); ++i)
      workers_.push_back({with_remembered_products(question), Finds(options.top)});
  }

  void run() {
    const auto search_item = [&](std::size_t item, unsigned thread) {
      Worker& worker = workers_[thread];
      worker.finds.add(ItemSearch(worker.question, task_, items_[item]).run());
    };
    core::side_by_side(items_.size(), search_item, {.most = static_cast<unsigned>(workers_.size())});
  }

  SearchResult result() const {
    Finds all(options_.top);
    for (const Worker& worker : workers_) all.add(worker.finds);
    return {.enumerated = count_space(question_),
            .placed = all.placed,
            .feasible = all.feasible,
            .evaluated = all.evaluated,
            .avoided = all.avoided,
            .best = all.best.sorted(),
            .front = all.front.sorted()};
  }

 private:
  const Question& question_;
  const SearchOptions& options_;
  AroundSets arounds_;
  SearchTask task_;
  std::vector<Item> items_;
  std::vector<Worker> workers_;
};

void require_datatype(const Question& question) {
  const auto type = static_cast<std::size_t>(question.datatype);
  if (question.system.matrix[type] && question.system.vector[type]) return;
  core::usage_error(fmt::format("the system's matrix and vector have no '{}'", datatype_names[type]));
}

}  // namespace

SearchResult search(const Question& question, const SearchOptions& options) {
  require_datatype(question);
  ParallelSearch parallel(question, options);
  parallel.run();
  return parallel.result();
}

}  // namespace assay::model
