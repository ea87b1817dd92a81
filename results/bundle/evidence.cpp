// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "results/bundle/chain.hpp"
#include "results/record/record_rules.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* description_name = "bundle.json";
constexpr const char* schema = "assay-bundle";

/// One run is text, as in bundles of earlier programs; more are a list.
Json side_of(const std::vector<std::string>& run_ids) {
  return run_ids.size() == 1 ? Json(run_ids.front()) : Json(run_ids);
}

std::vector<std::string> run_ids_in(const Json& side) {
  if (side.is_string()) return {side.get<std::string>()};
  return side.get<std::vector<std::string>>();
}

std::string description_of(const Evidence& evidence) {
  Json comparisons = Json::array();
  for (const ComparisonRequest& one : evidence.order.comparisons)
    comparisons.push_back(
        {{"a", side_of(one.a)}, {"b", side_of(one.b)}, {"margin", one.margin}, {"filter", one.filter}});
  const FleetRules& rules = evidence.order.rules;
  return Json{{"schema", schema},
              {"version", bundle_version},
              {"assay_version", evidence.assay_version},
              {"source_revision", evidence.source_revision},
              {"accept", evidence.order.accept},
              {"filter", evidence.order.filter},
              {"rules",
               {{"most_suspects", rules.most_suspects},
                {"margin", rules.margin},
                {"site_margin", rules.site_margin},
                {"family_error", rules.family_error},
                {"pass_error", rules.pass_error}}},
              {"compare", comparisons}}
             .dump(2) +
         "\n";
}

void read_description(const std::string& text, Evidence& evidence) {
  require_unique_keys(text);
  const Json from = Json::parse(text);
  if (from.at("schema") != schema) throw std::runtime_error("its schema is not " + std::string(schema));
  const int version = from.at("version");
  if (version != bundle_version)
    throw std::runtime_error(fmt::format("version {}, and this program reads {}", version, bundle_version));
  evidence.assay_version = from.at("assay_version");
  evidence.source_revision = from.at("source_revision");
  evidence.order.accept = from.at("accept");
  evidence.order.filter = from.at("filter");
  const Json& rules = from.at("rules");
  const FleetRules usual;  // of a bundle made before there were these
  evidence.order.rules = {.most_suspects = rules.at("most_suspects"),
                          .margin = rules.at("margin"),
                          .site_margin = rules.value("site_margin", usual.site_margin),
                          .family_error = rules.at("family_error"),
                          .pass_error = rules.value("pass_error", usual.pass_error)};
  for (const Json& one : from.at("compare"))
    evidence.order.comparisons.push_back(
        {run_ids_in(one.at("a")), run_ids_in(one.at("b")), one.at("margin"), one.at("filter")});
}

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) throw std::runtime_error(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

void refuse_one_name_twice(const std::vector<Member>& members) {
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = i + 1; j < members.size(); ++j)
      if (members[i].name == members[j].name)
        throw std::runtime_error(fmt::format("two files of one name: {}", members[i].name));
}

/// Puts each member where it belongs.
void take(Member member, Evidence& evidence) {
  const auto in = [&](const char* folder) { return member.name.starts_with(folder); };
  if (member.name == description_name) return read_description(member.content, evidence);
  if (member.name == "records.jsonl") return void(evidence.records = std::move(member.content));
  if (member.name == "damage.txt") return void(evidence.damage = std::move(member.content));
  if (member.name == "verdicts.json") return void(evidence.verdicts = std::move(member.content));
  if (member.name == "verdicts.txt") return void(evidence.text = std::move(member.content));
  for (const auto& [folder, list] :
       {std::pair("limits/", &evidence.limits), std::pair("places/", &evidence.places),
        std::pair("checks/", &evidence.checks), std::pair("logbooks/", &evidence.logbooks)})
    if (in(folder)) return list->push_back(std::move(member));
  throw std::runtime_error("it holds " + member.name + ", which this program does not know");
}

}  // namespace

Member member_from(const std::string& folder, const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  std::ranges::replace_if(
      name,
      [](char byte) { return !std::isalnum(static_cast<unsigned char>(byte)) && byte != '.' && byte != '-'; },
      '_');
  // ".." could lead elsewhere, and is no part of a member's name.
  for (std::size_t at = 0; (at = name.find("..", at)) != std::string::npos;) name[at + 1] = '_';
  return {folder + "/" + name.substr(0, 80), text_of(file)};
}

PackedBundle pack(const Evidence& evidence) {
  std::vector<Member> members{{description_name, description_of(evidence)},
                              {"records.jsonl", evidence.records}};
  if (!evidence.damage.empty()) members.push_back({"damage.txt", evidence.damage});
  for (const auto* list : {&evidence.limits, &evidence.places, &evidence.checks, &evidence.logbooks})
    members.insert(members.end(), list->begin(), list->end());
  members.push_back({"verdicts.json", evidence.verdicts});
  members.push_back({"verdicts.txt", evidence.text});
  refuse_one_name_twice(members);
  PackedBundle packed;
  packed.seal = add_chain(members);
  packed.bytes = to_tar(members);
  return packed;
}

Bundle read_bundle(const std::string& file) { return unpack(text_of(file), file); }

Bundle unpack(std::string_view bytes, const std::string& where) {
  std::vector<Member> members = from_tar(bytes, where);
  Bundle bundle{{}, require_intact(members, where)};
  members.resize(members.size() - 2);
  try {
    if (members.front().name != description_name)
      throw std::runtime_error("it does not begin with bundle.json");
    refuse_one_name_twice(members);
    for (Member& member : members) take(std::move(member), bundle.evidence);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("{}: no bundle that can be read: {}", where, error.what()));
  }
  return bundle;
}

}  // namespace assay::results
