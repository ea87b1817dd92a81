// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A campaign as a TOML file: stages that run on each node, between nodes, or judge. Unknown keys are errors.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "harness/core/describe/field.hpp"
#include "harness/front/campaign/grow/sound_set.hpp"

namespace assay::campaign {

enum class StageKind { nodes, fabric, grow, fit, judge };

/// How the nodes of a fabric stage form groups that measure at the same time.
enum class Grouping {
  pairs,   // disjoint pairs, another partner in each round of a tournament
  groups,  // of `size` nodes
  halves,
  whole
};

/// Work of a stage on each node, or in each group of nodes.
struct Work {
  bool check = false;            // assay check
  std::string plan = {};         // its text; empty: only the check
  std::string plan_name = {};    // as written
  std::string burn_in_for = {};  // "10m"; empty, and no rounds: assay run
  int burn_in_rounds = 0;
  std::string burn_in_level = {};  // "quick": it has set the plan, the filters and the end
  std::vector<std::string> modules = {}, filters = {}, axes = {};
  int runs = 1;  // fresh starts

  bool is_burn_in() const { return !burn_in_for.empty() || burn_in_rounds > 0 || !burn_in_level.empty(); }
};
inline constexpr core::Terms count_of_stage{.lowest = 1, .highest = 100'000, .may_be_absent = true};
/// Keys of [[stage]] besides its own, plan and files.
constexpr auto fields_of(core::Type<Work>) {
  using core::Field;
  constexpr core::Terms any = core::any_value.where_known();
  return std::tuple(Field<"check", &Work::check>{any}, Field<"modules", &Work::modules>{any},
                    Field<"filter", &Work::filters>{any}, Field<"axis", &Work::axes>{any},
                    Field<"runs", &Work::runs>{count_of_stage},
                    core::group<"burn_in">(Field<"for", &Work::burn_in_for>{any},
                                           Field<"rounds", &Work::burn_in_rounds>{count_of_stage},
                                           Field<"level", &Work::burn_in_level>{any}));
}

/// Keys of a stage that grows a set.
constexpr auto fields_of(core::Type<SoundSetRules>) {
  using core::Field;
  constexpr core::Terms share{.lowest = 0.05, .highest = 1, .may_be_absent = true};
  constexpr core::Terms error{.lowest = 1e-9, .highest = 0.5, .may_be_absent = true};
  return std::tuple(Field<"fails_in", &SoundSetRules::fails_in>{share},
                    Field<"error", &SoundSetRules::error>{error});
}

inline constexpr int one_a_rail = 0;

struct Stage {
  std::string name = {};
  StageKind kind = StageKind::nodes;
  Work work = {};
  Grouping grouping = Grouping::whole;
  int size = 0;                          // nodes of a group
  int rounds = 1;                        // of the tournament
  int ranks_per_node = 1;                // one_a_rail, or so many
  std::vector<std::string> limits = {};  // paths of limits files
  std::string fabric = {};               // path of a file of the fabric
  std::string topology = {};             // "lldp=PATH", instead of the fabric's own
  int retests = 0;                       // further runs of suspects, at most
  std::string block = {};                // of a fit: the stage whose times it must predict
  SoundSetRules sound_set = {};          // of a stage that grows one
  double least_busbw_gb_per_s = 0;       // a group with a slower point fails; 0: none does
  std::string where = {};                // "burn-in.toml:12", for messages
};
constexpr auto fields_of(core::Type<Stage>) {
  using core::Field;
  constexpr core::Terms size{.lowest = 2, .highest = 100'000, .may_be_absent = true};
  constexpr core::Terms retests{.lowest = 0, .highest = 100, .may_be_absent = true};
  constexpr core::Terms least{.lowest = 0, .highest = 1e6, .may_be_absent = true};
  return std::tuple(Field<"name", &Stage::name>{core::identity}, Field<"size", &Stage::size>{size},
                    Field<"rounds", &Stage::rounds>{count_of_stage},
                    Field<"block", &Stage::block>{core::identity.where_known()},
                    Field<"retests", &Stage::retests>{retests},
                    Field<"least_busbw_gb_per_s", &Stage::least_busbw_gb_per_s>{least});
}

struct Campaign {
  std::string name = {}, about = {};
  std::string source = {};  // the TOML text as read
  std::vector<Stage> stages = {};
};

/// `text` is a path or the name of a built-in campaign. Throws a usage Error with file and line.
Campaign read_campaign(const std::string& path_or_name);
Campaign parse_campaign(const std::string& toml, const std::string& file);
std::vector<std::string> built_in_campaigns();

/// Name of the file with the stage's plan, in the folders of campaign and node.
std::string plan_file_of(const Stage& stage);

/// Writes the campaign with all that it names into the folder of a campaign that begins: a resume continues
/// with the same, whatever became of the files.
void keep_campaign(const Campaign& campaign, const std::string& folder);
Campaign read_kept_campaign(const std::string& folder);

}  // namespace assay::campaign
