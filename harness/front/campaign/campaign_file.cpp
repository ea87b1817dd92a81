// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/campaign_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/toml_keys.hpp"
#include "harness/core/units.hpp"
#include "harness/front/campaign/built_in.hpp"
#include "harness/front/suite/burn_in/levels.hpp"
#include "harness/plan/plan.hpp"
#include "results/judge/acceptance/evidence_file.hpp"

namespace assay::campaign {
namespace {

using core::usage_error;

constexpr std::size_t longest_campaign = 1 << 20;
constexpr const char* kept_file = "campaign.toml";
constexpr int most_of_anything = 100'000;

/// One campaign file being read: every error starts with file and line.
class CampaignReader : private core::TomlKeys {
 public:
  /// `kept`: the folder of a campaign that began, which holds copies of what its file names; else "".
  explicit CampaignReader(std::string file, std::string kept = "")
      : TomlKeys(std::move(file)), kept_(std::move(kept)) {}

  Campaign read(const std::string& text) {
    const toml::table table = core::parse_toml(text, file());
    Campaign campaign{.source = text};
    each_key(table, "the campaign",
             {{"name", [&](const toml::node& node) { campaign.name = word(node, "name"); }},
              {"about", [&](const toml::node& node) { campaign.about = word(node, "about"); }},
              {"stage", [&](const toml::node& node) { campaign.stages = stages(node); }}});
    if (campaign.stages.empty()) usage_error(fmt::format("{}: no [[stage]] in it", file()));
    return campaign;
  }

 private:
  std::vector<std::string> words(const toml::node& node, const std::string& key) const {
    if (node.is_string()) return {word(node, key)};
    std::vector<std::string> all;
    if (!node.is_array()) wrong(node, key, "a string or a list of strings");
    for (const toml::node& one : *node.as_array()) all.push_back(word(one, key));
    return all;
  }

  int count(const toml::node& node, const std::string& key, int least, int most = most_of_anything) const {
    const auto value = node.value<std::int64_t>();
    if (!node.is_integer() || !value || *value < least || *value > most)
      wrong(node, key, fmt::format("a whole number from {} to {}", least, most));
    return static_cast<int>(*value);
  }

  bool yes_or_no(const toml::node& node, const std::string& key) const {
    if (!node.is_boolean()) wrong(node, key, "true or false");
    return *node.value<bool>();
  }

  /// Files are named from the campaign's own folder.
  std::string beside(const std::string& name) const {
    const std::filesystem::path path(name);
    return path.is_absolute() ? name : (std::filesystem::path(file()).parent_path() / path).string();
  }

  std::vector<Stage> stages(const toml::node& node) {
    std::vector<Stage> all;
    if (!node.is_array_of_tables()) wrong(node, "stage", "[[stage]] tables");
    for (const toml::node& one : *node.as_array()) all.push_back(stage(*one.as_table()));
    std::set<std::string> names;
    for (const Stage& one : all) {
      if (!one.block.empty() && !names.contains(one.block))
        usage_error(fmt::format("{}: stage '{}': block = '{}' (expected an earlier stage)", one.where,
                                one.name, one.block));
      if (!names.insert(one.name).second)
        usage_error(fmt::format("{}: two stages are named '{}'", one.where, one.name));
    }
    return all;
  }

  Stage stage(const toml::table& table) {
    Stage stage;
    stage.where = where(table);
    std::string on;
    Work& work = stage.work;
    each_key(
        table, "a stage",
        {{"name", [&](const toml::node& node) { stage.name = word(node, "name"); }},
         {"on", [&](const toml::node& node) { on = word(node, "on"); }},
         {"check", [&](const toml::node& node) { work.check = yes_or_no(node, "check"); }},
         {"plan", [&](const toml::node& node) { take_plan(node, work); }},
         {"modules", [&](const toml::node& node) { work.modules = words(node, "modules"); }},
         {"filter", [&](const toml::node& node) { work.filters = words(node, "filter"); }},
         {"axis", [&](const toml::node& node) { work.axes = words(node, "axis"); }},
         {"runs", [&](const toml::node& node) { work.runs = count(node, "runs", 1); }},
         {"burn_in", [&](const toml::node& node) { take_burn_in(node, work); }},
         {"size", [&](const toml::node& node) { stage.size = count(node, "size", 2); }},
         {"rounds", [&](const toml::node& node) { stage.rounds = count(node, "rounds", 1); }},
         {"ranks_per_node", [&](const toml::node& node) { stage.ranks_per_node = ranks_per_node(node); }},
         {"limits", [&](const toml::node& node) { take_limits(node, stage); }},
         {"fabric", [&](const toml::node& node) { stage.fabric = file_named(node, "fabric"); }},
         {"topology", [&](const toml::node& node) { take_topology(node, stage); }},
         {"block", [&](const toml::node& node) { stage.block = word(node, "block"); }},
         {"retests", [&](const toml::node& node) { stage.retests = count(node, "retests", 0, 100); }}});
    settle_kind(stage, on);
    settle_level(stage);
    if (!kept_.empty() && !work.plan_name.empty())
      work.plan = plan::read_plan((std::filesystem::path(kept_) / plan_file_of(stage)).string()).source;
    refuse_contradictions(stage);
    return stage;
  }

  int ranks_per_node(const toml::node& node) {
    if (!node.is_string()) return count(node, "ranks_per_node", 1);
    if (word(node, "ranks_per_node") != "rails")
      wrong(node, "ranks_per_node", "a number from 1, or \"rails\"");
    return one_a_rail;
  }

  void take_plan(const toml::node& node, Work& work) {
    work.plan_name = word(node, "plan");
    if (!kept_.empty()) return;
    const auto built_in = plan::built_in_plans();
    const bool is_name = std::ranges::find(built_in, work.plan_name) != built_in.end();
    work.plan = plan::read_plan(is_name ? work.plan_name : beside(work.plan_name)).source;
  }

  /// The path of a file in the campaign's own folder, or of its copy in the kept one. Refuses a file that
  /// does not exist.
  std::string there(const toml::node& node, const std::string& key, const std::string& file) const {
    const std::string name = std::filesystem::path(file).filename().string();
    std::string path = kept_.empty() ? beside(file) : (std::filesystem::path(kept_) / name).string();
    if (!core::is_there(path)) wrong(node, key, fmt::format("a file that exists, '{}' does not", path));
    return path;
  }

  std::string file_named(const toml::node& node, const std::string& key) const {
    return there(node, key, word(node, key));
  }

  void take_limits(const toml::node& node, Stage& stage) const {
    for (const std::string& file : words(node, "limits")) stage.limits.push_back(there(node, "limits", file));
  }

  void take_topology(const toml::node& node, Stage& stage) const {
    const auto [kind, file] = results::tagged_name(word(node, "topology"));
    if (kind.empty() || file.empty()) wrong(node, "topology", "\"KIND=FILE\"");
    stage.topology = kind + "=" + there(node, "topology", file);
  }

  void take_burn_in(const toml::node& node, Work& work) {
    if (!node.is_table())
      wrong(node, "burn_in", R"(a table such as { for = "10m" }, { rounds = 1 } or { level = "quick" })");
    each_key(*node.as_table(), "burn_in",
             {{"for",
               [&](const toml::node& value) {
                 work.burn_in_for = word(value, "for");
                 core::parse_duration_s(work.burn_in_for, where(value) + ": key 'for'");
               }},
              {"rounds", [&](const toml::node& value) { work.burn_in_rounds = count(value, "rounds", 1); }},
              {"level", [&](const toml::node& value) { work.burn_in_level = level_named(value); }}});
    if (!work.is_burn_in()) wrong(node, "burn_in", "'for' or 'rounds', or both, or 'level'");
  }

  std::string level_named(const toml::node& node) {
    std::string names;
    for (const suite::Level& one : suite::levels()) {
      if (one.name == word(node, "level")) return word(node, "level");
      names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
    }
    wrong(node, "level", "one of " + names);
  }

  /// A level's plan, filters and end, as `assay burn-in --level` has them.
  void settle_level(Stage& stage) const {
    Work& work = stage.work;
    if (work.burn_in_level.empty()) return;
    if (!work.plan_name.empty() || !work.filters.empty() || !work.burn_in_for.empty() ||
        work.burn_in_rounds > 0)
      usage_error(fmt::format(
          "{}: stage '{}': a level has a plan, a filter and an end of its own (expected no plan, filter, "
          "'for' or 'rounds')",
          stage.where, stage.name));
    const suite::Level& level = suite::find_level(work.burn_in_level);
    suite::BurnInOptions options;
    suite::take_level(level, options);
    work.plan_name = options.run.plan;
    work.filters = options.run.filters;
    work.burn_in_for = fmt::format("{:g}m", level.minutes);
    work.burn_in_rounds = static_cast<int>(level.rounds);
    if (kept_.empty()) work.plan = plan::read_plan(work.plan_name).source;
  }

  void settle_kind(Stage& stage, const std::string& on) const {
    static const std::map<std::string, std::pair<StageKind, Grouping>> known{
        {"nodes", {StageKind::nodes, Grouping::whole}},    {"pairs", {StageKind::fabric, Grouping::pairs}},
        {"groups", {StageKind::fabric, Grouping::groups}}, {"halves", {StageKind::fabric, Grouping::halves}},
        {"whole", {StageKind::fabric, Grouping::whole}},   {"fit", {StageKind::fit, Grouping::whole}},
        {"judge", {StageKind::judge, Grouping::whole}}};
    if (stage.name.empty()) usage_error(fmt::format("{}: a stage without a name", stage.where));
    if (stage.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      usage_error(
          fmt::format("{}: stage '{}': expected a name of a-z, 0-9 and '-'", stage.where, stage.name));
    const auto found = known.find(on);
    if (found == known.end())
      usage_error(fmt::format(
          "{}: stage '{}': on = '{}' (expected nodes, pairs, groups, halves, whole, fit or judge)",
          stage.where, stage.name, on));
    std::tie(stage.kind, stage.grouping) = found->second;
  }

  void refuse_contradictions(const Stage& stage) const {
    const auto refuse = [&](bool wrong, const std::string& why) {
      if (wrong) usage_error(fmt::format("{}: stage '{}': {}", stage.where, stage.name, why));
    };
    const Work& work = stage.work;
    const bool measures = !work.plan.empty();
    const bool judges = stage.kind == StageKind::judge, fits = stage.kind == StageKind::fit;
    const bool fabric = stage.kind == StageKind::fabric;
    refuse(!judges && !fits && !measures && !work.check, "nothing to do (expected a plan, or check = true)");
    refuse((judges || fits) && (measures || work.check),
           "a judge and a fit measure nothing (expected no plan and no check)");
    refuse(!fits && !stage.block.empty(), "block belongs to on = 'fit'");
    refuse(!judges && (!stage.limits.empty() || !stage.fabric.empty() || stage.retests > 0),
           "limits, fabric and retests belong to on = 'judge'");
    refuse(stage.fabric.empty() && !stage.topology.empty(), "topology needs a fabric");
    refuse(fabric && (work.check || work.is_burn_in()), "check and burn_in run on = 'nodes'");
    refuse(fabric && !measures, "a plan is missing");
    refuse(!measures && work.is_burn_in(), "burn_in needs a plan");
    refuse(stage.grouping == Grouping::groups && stage.size == 0, "on = 'groups' needs a size");
    refuse(stage.grouping != Grouping::groups && stage.size > 0, "size belongs to on = 'groups'");
    refuse(stage.grouping != Grouping::pairs && stage.rounds > 1, "rounds belong to on = 'pairs'");
  }

  std::string kept_;
};

void keep_files_of_judges(const Stage& stage, const std::filesystem::path& folder) {
  std::vector<results::TaggedName> files;
  for (const std::string& file : stage.limits) files.push_back({"", file});
  if (!stage.fabric.empty()) files.push_back({"", stage.fabric});
  if (!stage.topology.empty()) files.push_back(results::tagged_name(stage.topology));
  for (const results::TaggedName& file : files) {
    const std::string copy = (folder / std::filesystem::path(file.name).filename()).string();
    if (copy != file.name) core::write_whole_file(copy, results::read_tagged(file));
  }
}

}  // namespace

std::string plan_file_of(const Stage& stage) { return stage.name + ".plan.toml"; }

void keep_campaign(const Campaign& campaign, const std::string& folder) {
  const std::filesystem::path kept(folder);
  for (const Stage& stage : campaign.stages) {
    if (!stage.work.plan.empty())
      core::write_whole_file((kept / plan_file_of(stage)).string(), stage.work.plan);
    keep_files_of_judges(stage, kept);
  }
  core::write_whole_file((kept / kept_file).string(), campaign.source);
}

Campaign read_kept_campaign(const std::string& folder) {
  const std::string file = (std::filesystem::path(folder) / kept_file).string();
  return CampaignReader(file, folder).read(core::read_input(file, "a campaign in TOML", longest_campaign));
}

Campaign parse_campaign(const std::string& toml, const std::string& file) {
  return CampaignReader(file).read(toml);
}

Campaign read_campaign(const std::string& path_or_name) {
  for (const BuiltIn& one : built_in)
    if (one.name == path_or_name) return parse_campaign(std::string(one.toml), path_or_name + ".toml");
  if (path_or_name.find('/') == std::string::npos && !path_or_name.ends_with(".toml"))
    usage_error(fmt::format("no campaign '{}' (expected a TOML file, or one of: {})", path_or_name,
                            fmt::join(built_in_campaigns(), " ")));
  return parse_campaign(core::read_input(path_or_name, "a campaign in TOML", longest_campaign), path_or_name);
}

std::vector<std::string> built_in_campaigns() {
  std::vector<std::string> names;
  for (const BuiltIn& one : built_in) names.emplace_back(one.name);
  return names;
}

}  // namespace assay::campaign
