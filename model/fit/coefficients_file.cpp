// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/coefficients_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "harness/core/error.hpp"
#include "harness/core/whole_file.hpp"
#include "model/fit/fit_json.hpp"

namespace assay::model::fit {
namespace {

constexpr const char* schema = "assay-coefficients";
constexpr std::array kind_words{"gemm", "collectives", "memory", "links", "loggp", "interference"};

Json head(CoefficientsKind kind, const Provenance& provenance) {
  return {{"schema", schema},
          {"schema_version", coefficients_schema_version},
          {"kind", to_string(kind)},
          {"provenance", json_of(provenance)},
          {"units",
           {{"_us", "1e-6 s"},
            {"gb_per_s", "1e9 bytes/s"},
            {"tflop_per_s", "1e12 FLOP/s, FLOP = 2mnk"},
            {"size", "bytes"}}}};
}

std::string text_of(const Json& json) {
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}\n\"{}\": {}", text == "{" ? "" : ",", key, value.dump());
  return text + "\n}\n";
}

void write(const std::string& path, const Json& json) { core::write_whole_file(path, text_of(json)); }

/// Everything that can be wrong with the content becomes one line that starts with the path.
template <class Read>
auto checked(const std::string& path, Read read) {
  std::ifstream file(path);
  if (!file) core::usage_error(path + ": cannot be read; expected a file that assay fit wrote");
  try {
    const Json json = Json::parse(file);
    if (json.at("schema") != schema || json.at("schema_version") != coefficients_schema_version)
      throw std::runtime_error(
          fmt::format("expected schema {}, version {}", schema, coefficients_schema_version));
    return read(json);
  } catch (const core::Error&) {
    throw;
  } catch (const std::exception& error) {
    core::usage_error(fmt::format("{}: not coefficients of assay fit: {}", path, error.what()));
  }
}

template <class Content>
void read_head(const Json& json, CoefficientsKind kind, Content& content) {
  if (json.at("kind") != to_string(kind))
    throw std::runtime_error(fmt::format("key 'kind': expected {}", to_string(kind)));
  content.provenance = provenance_from(json.at("provenance"));
  content.seen = SeenRows(json.at("seen_rows").get<std::vector<std::uint32_t>>());
}

Json json_of(const LogGpFit::Link& link) {
  Json json;
  for (const Coefficient& coefficient : link.coefficients) json[coefficient.name] = fit::json_of(coefficient);
  for (const Coefficient& bounded : {link.overhead, link.latency}) json[bounded.name] = fit::json_of(bounded);
  return json;
}

LogGp loggp_from(const Json& json) {
  const auto value = [&](const char* name) { return positive_from(json.at(name), "value"); };
  return {.one_way_us = value("L_plus_2o_us"), .gap_us = value("g_us"), .gb_per_s = value("gb_per_s")};
}

CoefficientsKind kind_from(const Json& json) {
  const auto* const word = std::ranges::find(kind_words, json.at("kind").get<std::string>());
  if (word == kind_words.end())
    throw std::runtime_error(fmt::format("key 'kind': expected one of {}", fmt::join(kind_words, ", ")));
  return static_cast<CoefficientsKind>(word - kind_words.begin());
}

}  // namespace

std::string to_string(CoefficientsKind kind) { return kind_words[static_cast<std::size_t>(kind)]; }

void write_gemm_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                    const std::map<std::string, GemmFit>& fits) {
  Json json = head(CoefficientsKind::gemm, provenance);
  json["warnings"] = warnings_of(fits);
  for (const auto& [group, fit] : fits) json["models"][group] = json_of(fit);
  for (const auto& [group, fit] : fits) json["surfaces"][group] = json_of(fit.model.surface);
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

void write_collective_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                          const CollectiveFit& fit) {
  Json json = head(CoefficientsKind::collectives, provenance);
  json["warnings"] = warnings_of(fit.models);
  json["held_out"] = {{"sizes", json_of(fit.held_out)}, {"segments_alone", json_of(fit.held_out_segments)}};
  for (const auto& [name, family] : fit.models.families) json["models"][name] = json_of(family);
  for (const auto& [name, surface] : fit.models.surfaces) json["surfaces"][name] = json_of(surface);
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

void write_size_fit(const std::string& path, CoefficientsKind kind, const Provenance& provenance,
                    const SeenRows& seen, const SizeFit& fit) {
  Json json = head(kind, provenance);
  json["warnings"] = warnings_of(fit);
  json["held_out"] = json_of(fit.held_out);
  for (const auto& [name, segments] : fit.curves) json["models"][name] = json_of(segments);
  json["seen_rows"] = seen.prefixes();
  write(path, json);
}

void write_loggp_fit(const std::string& path, const Provenance& provenance, const SeenRows& seen,
                     const LogGpFit& fit) {
  Json json = head(CoefficientsKind::loggp, provenance);
  json["warnings"] = warnings_of(fit);
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

CoefficientsKind kind_of_coefficients(const std::string& path) {
  return checked(path, [](const Json& json) { return kind_from(json); });
}

GemmCoefficients read_gemm_coefficients(const std::string& path) {
  return checked(path, [](const Json& json) {
    GemmCoefficients content;
    read_head(json, CoefficientsKind::gemm, content);
    for (const auto& [group, model] : json.at("models").items())
      content.models.emplace(group, gemm_model_from(model, json.at("surfaces").at(group)));
    return content;
  });
}

CollectiveCoefficients read_collective_coefficients(const std::string& path) {
  return checked(path, [](const Json& json) {
    CollectiveCoefficients content;
    read_head(json, CoefficientsKind::collectives, content);
    for (const auto& [name, surface] : json.at("surfaces").items())
      content.models.surfaces.emplace(name, size_surface_from(surface));
    for (const auto& [name, family] : json.at("models").items()) {
      const auto read = content.models.families.emplace(name, collective_family_from(family)).first;
      if (!content.models.surfaces.contains(read->second.surface))
        throw std::runtime_error(fmt::format("key 'surfaces': '{}' is missing", read->second.surface));
    }
    return content;
  });
}

SizeCoefficients read_size_coefficients(const std::string& path) {
  return checked(path, [](const Json& json) {
    SizeCoefficients content;
    const bool links = kind_from(json) == CoefficientsKind::links;
    read_head(json, links ? CoefficientsKind::links : CoefficientsKind::memory, content);
    for (const auto& [name, segments] : json.at("models").items())
      content.curves.emplace(name, segments_from(segments));
    return content;
  });
}

LogGpCoefficients read_loggp_coefficients(const std::string& path) {
  return checked(path, [](const Json& json) {
    LogGpCoefficients content;
    read_head(json, CoefficientsKind::loggp, content);
    for (const auto& [name, link] : json.at("models").items()) content.links.emplace(name, loggp_from(link));
    return content;
  });
}

}  // namespace assay::model::fit
