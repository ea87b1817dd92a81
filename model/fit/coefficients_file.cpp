// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/coefficients_file.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "harness/core/whole_file.hpp"
#include "model/fit/fit_json.hpp"
#include "model/fit/rank_law_json.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::fit {
namespace {

constexpr const char* schema = "assay-coefficients";
constexpr std::array<std::string_view, 6> kind_words{"gemm",  "collectives", "memory",
                                                     "links", "loggp",       "interference"};

/// Figures of docs/evidence/fits.md, "Other machines, other tools".
constexpr const char* scope =
    "this machine, software and dtype only: on public H100 tables, coefficients of another data set or dtype "
    "were 19 to 101 % off, a roofline without any fit 40 to 72 % (docs/evidence/fits.md)";

Json head(CoefficientsKind kind, const Provenance& provenance) {
  return {{"schema", schema},
          {"schema_version", coefficients_schema_version},
          {"kind", to_string(kind)},
          {"provenance", json_of(provenance)},
          {"scope", scope},
          {"units",
           {{"_us", "1e-6 s"},
            {"gb_per_s", "1e9 bytes/s"},
            {"tflop_per_s", "1e12 FLOP/s, FLOP = 2mnk"},
            {"size", "bytes"}}}};
}

std::string text_of(const Json& json) {
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}\n\"{}\": {}", text == "{" ? "" : ",", key,
                        value.dump(-1, ' ', false, Json::error_handler_t::replace));
  return text + "\n}\n";
}

void write(const std::string& path, const Json& json) { core::write_whole_file(path, text_of(json)); }

template <class Read>
auto checked(const std::string& path, Read read) {
  const JsonDocument json = read_document(path, "a file that assay fit wrote");
  const JsonKeys keys(json.root());
  if (!keys.has("schema") || !keys.at("schema").is_string() ||
      keys.at("schema").get<std::string_view>() != schema)
    keys.fail("schema", fmt::format("\"{}\", as in every file of assay fit", schema));
  if (!keys.at("schema_version").is_number_integer() ||
      keys.at("schema_version").get<std::int64_t>() != coefficients_schema_version)
    keys.fail("schema_version", std::to_string(coefficients_schema_version), keys.at("schema_version"));
  return read(keys);
}

SeenRows seen_rows_from(const JsonKeys& keys) {
  std::vector<std::uint32_t> prefixes;
  for (const JsonValue prefix : keys.list("seen_rows")) {
    if (!prefix.is_number_unsigned() ||
        prefix.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
      keys.fail("seen_rows", "whole numbers of 32 bits", prefix);
    prefixes.push_back(prefix.get<std::uint32_t>());
  }
  return SeenRows(std::move(prefixes));
}

CoefficientsKind kind_from(const JsonKeys& keys) {
  return static_cast<CoefficientsKind>(keys.one_of("kind", kind_words));
}

template <class Content>
void read_head(const JsonKeys& keys, CoefficientsKind kind, Content& content) {
  if (kind_from(keys) != kind) keys.fail("kind", to_string(kind), keys.at("kind"));
  content.provenance = provenance_from(keys.object("provenance"));
  content.seen = seen_rows_from(keys);
}

Json json_of(const LogGpFit::Link& link) {
  Json json;
  for (const Coefficient& coefficient : link.coefficients) json[coefficient.name] = fit::json_of(coefficient);
  for (const Coefficient& bounded : {link.overhead, link.latency}) json[bounded.name] = fit::json_of(bounded);
  return json;
}

LogGp loggp_from(const JsonKeys& keys) {
  const auto value = [&](const char* name) { return keys.object(name).above_zero("value"); };
  return {.one_way_us = value("L_plus_2o_us"), .gap_us = value("g_us"), .gb_per_s = value("gb_per_s")};
}

}  // namespace

std::string to_string(CoefficientsKind kind) {
  return std::string(kind_words[static_cast<std::size_t>(kind)]);
}

void write_gemm_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                    const GemmFits& fits) {
  Json json = head(CoefficientsKind::gemm, provenance);
  json["warnings"] = warnings_of(fits);
  json["left_out"] = fits.left_out;
  for (const auto& [group, fit] : fits.groups) json["models"][group] = json_of(fit);
  for (const auto& [group, fit] : fits.groups) json["surfaces"][group] = json_of(fit.model.surface);
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

void write_collective_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                          const CollectiveFit& fit) {
  Json json = head(CoefficientsKind::collectives, provenance);
  json["warnings"] = warnings_of(fit);
  json["left_out"] = fit.left_out;
  json["held_out"] = {{"sizes", json_of(fit.held_out)},
                      {"ends", json_of(fit.held_out_ends)},
                      {"segments_alone", json_of(fit.held_out_segments)}};
  for (const auto& [name, family] : fit.models.families) json["models"][name] = json_of(family);
  for (const auto& [name, surface] : fit.models.surfaces) json["surfaces"][name] = json_of(surface);
  json["rank_laws"] = json_of(fit.rank_laws);
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

void write_size_fit(const std::string& path, CoefficientsKind kind, const Provenance& provenance,
                    const SeenRows& seen, const SizeFit& fit) {
  Json json = head(kind, provenance);
  json["warnings"] = warnings_of(fit);
  json["left_out"] = fit.left_out;
  json["held_out"] = json_of(fit.held_out);
  for (const auto& [name, segments] : fit.curves) json["models"][name] = json_of(segments);
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

void write_loggp_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                     const LogGpFit& fit) {
  Json json = head(CoefficientsKind::loggp, provenance);
  json["warnings"] = warnings_of(fit);
  json["left_out"] = fit.left_out;
  json["held_out"] = json_of(fit.held_out);
  for (const auto& [name, link] : fit.links) json["models"][name] = json_of(link);
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

void write_usage_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                     const std::map<std::string, Coefficient>& usages) {
  Json json = head(CoefficientsKind::interference, provenance);
  json["warnings"] = warnings_of(usages);
  for (const auto& [contest, usage] : usages) json["models"][contest] = {{usage.name, json_of(usage)}};
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

CoefficientsKind kind_of_coefficients(const std::string& path) { return checked(path, kind_from); }

GemmCoefficients read_gemm_coefficients(const std::string& path) {
  return checked(path, [](const JsonKeys& keys) {
    GemmCoefficients content;
    read_head(keys, CoefficientsKind::gemm, content);
    const JsonKeys models = keys.object("models"), surfaces = keys.object("surfaces");
    for (const std::string& group : models.names())
      content.models.emplace(group, gemm_model_from(models.object(group), surfaces, group));
    return content;
  });
}

CollectiveCoefficients read_collective_coefficients(const std::string& path) {
  return checked(path, [](const JsonKeys& keys) {
    CollectiveCoefficients content;
    read_head(keys, CoefficientsKind::collectives, content);
    const JsonKeys models = keys.object("models"), surfaces = keys.object("surfaces");
    for (const std::string& name : surfaces.names())
      content.models.surfaces.emplace(name, size_surface_from(surfaces.object(name)));
    for (const std::string& name : models.names()) {
      const auto read =
          content.models.families.emplace(name, collective_family_from(models.object(name))).first;
      static_cast<void>(surfaces.at(read->second.surface));  // a missing one is an error
    }
    content.rank_laws = rank_laws_from(keys);
    return content;
  });
}

SizeCoefficients read_size_coefficients(const std::string& path) {
  return checked(path, [](const JsonKeys& keys) {
    SizeCoefficients content;
    const bool links = kind_from(keys) == CoefficientsKind::links;
    read_head(keys, links ? CoefficientsKind::links : CoefficientsKind::memory, content);
    const JsonKeys models = keys.object("models");
    for (const std::string& name : models.names()) content.curves.emplace(name, segments_from(models, name));
    return content;
  });
}

LogGpCoefficients read_loggp_coefficients(const std::string& path) {
  return checked(path, [](const JsonKeys& keys) {
    LogGpCoefficients content;
    read_head(keys, CoefficientsKind::loggp, content);
    const JsonKeys models = keys.object("models");
    for (const std::string& name : models.names())
      content.links.emplace(name, loggp_from(models.object(name)));
    return content;
  });
}

UsageCoefficients read_usage_coefficients(const std::string& path) {
  return checked(path, [](const JsonKeys& keys) {
    UsageCoefficients content;
    read_head(keys, CoefficientsKind::interference, content);
    const JsonKeys models = keys.object("models");
    for (const std::string& name : models.names()) {
      const JsonKeys usage = models.object(name).object("processor_usage");
      content.usages.emplace(name, coefficient_from(usage, "processor_usage"));
      if (usage.number("value") >= 1) usage.fail("value", "a share below 1", usage.at("value"));
    }
    return content;
  });
}

}  // namespace assay::model::fit
