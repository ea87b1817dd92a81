// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// All configurations of one tensor_par and one microbatch size: they share their blocks' costs.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "model/predict/system/group.hpp"
#include "model/search/group_search.hpp"

namespace assay::model {

struct Item {
  std::int64_t tensor_par, microbatch_size;
};
std::vector<Item> items(const Question& question);

class ItemSearch {
 public:
  ItemSearch(const Question& question, const SearchTask& task, const Item& item);

  /// Every group, or where the fastest are enough, groups by what they may reach, until none that is left may
  /// be among the fastest of this item. So what is evaluated does not depend on other items, or on threads.
  Finds run();

 private:
  struct PricedChoice {
    Execution choice;
    BlockCost block;
  };

  /// The groups that exchange within a block.
  struct BlockGroups {
    std::array<ProcessorGroup, 3> groups;
    ContextPar context_par_type;
    auto operator<=>(const BlockGroups&) const = default;
  };

  /// A group that fits, whose evaluation is put off.
  struct Promise {
    double most_rate;  // sequences a second: none of the group is faster; infinite where nothing bounds it
    std::int64_t fitting;
    const Execution* layout;
    const PricedChoice* priced;
  };

  const std::vector<PricedChoice>& choices_of(const Execution& layout);
  std::vector<PricedChoice> price_choices(const Execution& layout) const;
  std::vector<Execution> layouts(std::size_t tensor_tier) const;
  std::vector<Execution> places(const Split& split, std::size_t tensor_tier) const;
  void add_expert_places(const std::vector<ExpertPlace>& experts, Execution place,
                         std::vector<Execution>& found) const;
  void search_layout(const Execution& layout);
  void search_group(const Execution& layout, const Schedule& schedule, const PricedChoice& priced);
  void keep_promises();

  const Question& question_;
  const SearchTask& task_;
  Item item_;
  Finds finds_;
  GroupSearch groups_;
  std::vector<Promise> promises_;  // on the current tensor tier, as are the costs of blocks
  std::int64_t choices_kept_ = 0, choices_recomputed_ = 0;
  std::map<BlockGroups, std::vector<PricedChoice>> priced_;
};

}  // namespace assay::model
