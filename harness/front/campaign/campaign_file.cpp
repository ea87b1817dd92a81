// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/campaign_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/whole_file.hpp"
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

class CampaignReader {
 public:
  /// `kept`: the folder of a campaign that began, which holds copies of what its file names; else "".
  explicit CampaignReader(std::string kept = "") : kept_(std::move(kept)) {}

  Campaign read(const std::string& text, const std::string& file) const {
    const core::TomlFile toml(text, file);
    const core::TomlSection root = toml.root();
    root.allow({"name", "about", "stage"});
    Campaign campaign{
        .name = root.word("name").value_or(""), .about = root.word("about").value_or(""), .source = text};
    campaign.stages = stages(root);
    if (campaign.stages.empty()) usage_error(fmt::format("{}: no [[stage]] in it", file));
    return campaign;
  }

 private:
  std::vector<Stage> stages(const core::TomlSection& root) const {
    std::vector<Stage> all;
    for (const core::TomlSection& section : root.tables("stage")) all.push_back(stage(section));
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

  Stage stage(const core::TomlSection& section) const {
    Stage stage;
    stage.where = section.place();
    static constexpr auto rows_of_work = fields_of(core::Type<Work>());
    std::vector<std::string_view> others = core::names_of(rows_of_work);
    static constexpr auto rows_of_rules = fields_of(core::Type<SoundSetRules>());
    for (const std::string_view name : core::names_of(rows_of_rules)) others.push_back(name);
    others.insert(others.end(), {"on", "plan", "ranks_per_node", "limits", "fabric", "topology"});
    core::read_fields(section, stage, others);
    core::read_rows(section, rows_of_work, stage.work);
    core::read_rows(section, rows_of_rules, stage.sound_set);
    take_plan(section, stage.work);
    take_burn_in(section, stage.work);
    stage.ranks_per_node = ranks_per_node(section);
    take_files(section, stage);
    settle_kind(stage, section.word("on").value_or(""));
    settle_level(stage);
    if (!kept_.empty() && !stage.work.plan_name.empty())
      stage.work.plan = plan::read_plan((std::filesystem::path(kept_) / plan_file_of(stage)).string()).source;
    refuse_contradictions(stage);
    for (const char* key : {"fails_in", "error", "least_busbw_gb_per_s"})
      if (stage.kind != StageKind::grow && section.has(key)) section.refuse(key, "belongs to on = 'grow'");
    return stage;
  }

  static int ranks_per_node(const core::TomlSection& section) {
    const core::Terms ranks = count_of_stage.saying("or \"rails\"");
    if (!section.has("ranks_per_node")) return 1;
    if (!section.node("ranks_per_node")->is_string())
      return static_cast<int>(*section.whole("ranks_per_node", ranks));
    if (section.word("ranks_per_node") != "rails")
      section.refuse("ranks_per_node", "expected a number from 1, or \"rails\"");
    return one_a_rail;
  }

  void take_plan(const core::TomlSection& section, Work& work) const {
    work.plan_name = section.word("plan").value_or("");
    if (!kept_.empty() || work.plan_name.empty()) return;
    const auto built_in = plan::built_in_plans();
    const bool is_name = std::ranges::find(built_in, work.plan_name) != built_in.end();
    work.plan = plan::read_plan(is_name ? work.plan_name : section.source().path_of(work.plan_name)).source;
  }

  /// The path of a file in the campaign's own folder, or of its copy in the kept one. Refuses a file that
  /// does not exist.
  std::string there(const core::TomlSection& section, std::string_view key, const std::string& file) const {
    const std::string name = std::filesystem::path(file).filename().string();
    std::string path =
        kept_.empty() ? section.source().path_of(file) : (std::filesystem::path(kept_) / name).string();
    if (!core::is_there(path))
      section.refuse(key, fmt::format("expected a file that exists, '{}' does not", path));
    return path;
  }

  void take_files(const core::TomlSection& section, Stage& stage) const {
    for (const std::string& file : section.words("limits").value_or(std::vector<std::string>()))
      stage.limits.push_back(there(section, "limits", file));
    if (const auto file = section.word("fabric")) stage.fabric = there(section, "fabric", *file);
    if (!section.has("topology")) return;
    const auto [kind, file] = results::tagged_name(*section.word("topology"));
    if (kind.empty() || file.empty()) section.refuse("topology", "expected \"KIND=FILE\"");
    stage.topology = kind + "=" + there(section, "topology", file);
  }

  static void take_burn_in(const core::TomlSection& section, const Work& work) {
    const auto table = section.table("burn_in");
    if (!table) return;
    if (!work.is_burn_in()) section.refuse("burn_in", "expected 'for' or 'rounds', or both, or 'level'");
    if (table->has("for")) core::parse_duration_s(work.burn_in_for, table->where("for"));
    std::vector<std::string_view> names;
    for (const suite::Level& one : suite::levels()) names.push_back(one.name);
    if (table->has("level") && std::ranges::find(names, work.burn_in_level) == names.end())
      table->refuse_choice("level", work.burn_in_level, names);
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
        {"whole", {StageKind::fabric, Grouping::whole}},   {"grow", {StageKind::grow, Grouping::whole}},
        {"fit", {StageKind::fit, Grouping::whole}},        {"judge", {StageKind::judge, Grouping::whole}}};
    if (stage.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos)
      usage_error(
          fmt::format("{}: stage '{}': expected a name of a-z, 0-9 and '-'", stage.where, stage.name));
    const auto found = known.find(on);
    if (found == known.end())
      usage_error(fmt::format(
          "{}: stage '{}': on = '{}' (expected nodes, pairs, groups, halves, whole, grow, fit or judge)",
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
    const bool grows = stage.kind == StageKind::grow, fabric = grows || stage.kind == StageKind::fabric;
    refuse(!judges && !fits && !measures && !work.check, "nothing to do (expected a plan, or check = true)");
    refuse((judges || fits) && (measures || work.check),
           "a judge and a fit measure nothing (expected no plan and no check)");
    refuse(!fits && !stage.block.empty(), "block belongs to on = 'fit'");
    refuse(!judges && (!stage.limits.empty() || !stage.fabric.empty() || stage.retests > 0),
           "limits, fabric and retests belong to on = 'judge'");
    refuse(stage.fabric.empty() && !stage.topology.empty(), "topology needs a fabric");
    refuse(fabric && (work.check || work.is_burn_in()), "check and burn_in run on = 'nodes'");
    refuse(fabric && !measures, "a plan is missing");
    refuse(grows && work.runs > 1, "on = 'grow' repeats by itself (expected fails_in and error, no runs)");
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
  return CampaignReader(folder).read(core::read_input(file, "a campaign in TOML", longest_campaign), file);
}

Campaign parse_campaign(const std::string& toml, const std::string& file) {
  return CampaignReader().read(toml, file);
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
