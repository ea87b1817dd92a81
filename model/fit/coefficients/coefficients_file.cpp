// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/coefficients/coefficients_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "model/fit/coefficients/coefficients_words.hpp"
#include "model/fit/coefficients/fit_json.hpp"
#include "model/fit/coefficients/rank_law_json.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::fit {
namespace {

/// In the order of all_kinds.
constexpr std::array<std::string_view, all_kinds.size()> kind_words{
    "gemm", "collectives", "memory", "vector", "links", "loggp", "interference", "overlap"};

struct Place {
  std::string file, section;  // the section: a kind, or empty
};

Place place_of(const std::string& path) {
  const std::size_t mark = path.rfind('#');
  if (mark == std::string::npos) return {path, ""};
  const std::string section = path.substr(mark + 1);
  return std::ranges::count(kind_words, section) > 0 ? Place{path.substr(0, mark), section} : Place{path, ""};
}

void check_schema(const JsonKeys& keys) {
  if (!keys.has("schema") || !keys.at("schema").is_string() ||
      keys.at("schema").get<std::string_view>() != coefficients_schema)
    keys.fail("schema", fmt::format("\"{}\", as in every file of assay fit", coefficients_schema));
  const JsonValue version = keys.at("schema_version");
  if (!version.is_number_integer() || version.get<std::int64_t>() < 1 ||
      version.get<std::int64_t>() > coefficients_schema_version)
    keys.fail("schema_version", fmt::format("1 to {}", coefficients_schema_version), version);
}

bool is_of_all(const JsonKeys& keys) { return keys.has("kind") && keys.word("kind") == kind_of_all; }

template <class Read>
auto with_file(const std::string& file, Read read) {
  const JsonDocument json = read_document(file, "a file that assay fit wrote");
  const JsonKeys keys(json.root());
  check_schema(keys);
  return read(keys);
}

/// Reads a file of one kind, or the section that `path` names.
template <class Read>
auto checked(const std::string& path, Read read) {
  const Place place = place_of(path);
  return with_file(place.file, [&](const JsonKeys& keys) {
    if (place.section.empty()) {
      if (is_of_all(keys))
        keys.fail("kind", fmt::format("one kind, or {}#KIND for one of the sections", place.file),
                  keys.at("kind"));
      return read(keys);
    }
    return read(is_of_all(keys) ? keys.object("sections").object(place.section) : keys);
  });
}

std::vector<std::string> lines_in(const JsonKeys& keys, std::string_view key, std::string_view expected) {
  std::vector<std::string> lines;
  for (const JsonValue line : keys.list(key)) {
    if (!line.is_string()) keys.fail(key, expected, line);
    lines.push_back(line.get<std::string>());
  }
  return lines;
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

bool is_of_sizes(CoefficientsKind kind) {
  return kind == CoefficientsKind::memory || kind == CoefficientsKind::vector ||
         kind == CoefficientsKind::links;
}

template <class Content>
void read_head(const JsonKeys& keys, CoefficientsKind kind, Content& content) {
  if (kind_from(keys) != kind) keys.fail("kind", to_string(kind), keys.at("kind"));
  content.provenance = provenance_from(keys.object("provenance"));
  content.seen = seen_rows_from(keys);
}

}  // namespace

std::string to_string(CoefficientsKind kind) {
  return std::string(kind_words[static_cast<std::size_t>(kind)]);
}

std::vector<std::string> sections_of_coefficients(const std::string& path) {
  const Place place = place_of(path);
  if (!place.section.empty()) return {path};
  return with_file(place.file, [&](const JsonKeys& keys) -> std::vector<std::string> {
    if (!is_of_all(keys)) return {path};
    const JsonKeys sections = keys.object("sections");
    std::vector<std::string> found;
    for (const std::string& name : sections.names()) {
      if (std::ranges::count(kind_words, name) == 0)
        keys.fail("sections", fmt::format("sections of {}, got '{}'", fmt::join(kind_words, ", "), name));
      found.push_back(fmt::format("{}#{}", place.file, name));
    }
    if (found.empty()) keys.fail("sections", "one section or more");
    return found;
  });
}

std::string file_of_section(const std::string& path) { return place_of(path).file; }

std::optional<CsvSource> timings_in(const std::string& path, CoefficientsKind kind) {
  return with_file(path, [&](const JsonKeys& keys) -> std::optional<CsvSource> {
    if (!is_of_all(keys) || !keys.has("timings"))
      keys.fail("timings", "the rows of each section, as assay fit all and assay calibrate keep them");
    const JsonKeys timings = keys.object("timings");
    const std::string name = to_string(kind);
    if (!timings.has(name)) return std::nullopt;
    std::string text;
    for (const std::string& line : lines_in(timings, name, "lines of CSV")) text += line + "\n";
    return CsvSource(fmt::format("{}#{}", path, name), std::move(text));
  });
}

DescribedSystem system_in(const std::string& path) {
  DescribedSystem described;
  with_file(path, [&](const JsonKeys& keys) {
    if (!keys.has("system")) refuse_without_system(path);
    for (const std::string& line : lines_in(keys, "not_measured", "lines of text"))
      if (line.starts_with(of_the_system))
        described.not_measured.push_back(line.substr(of_the_system.size()));
  });
  described.system = std::move(read_ordered_json(path)["system"]);
  return described;
}

void refuse_without_system(const std::string& path) {
  core::usage_error(fmt::format(
      "{}: describes no system: GEMM and memory were not both measured (key 'not_measured')", path));
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
      const auto read = content.models.families.emplace(name, collective_family_from(models, name)).first;
      static_cast<void>(surfaces.at(read->second.surface));  // a missing one is an error
    }
    content.rank_laws = rank_laws_from(keys);
    return content;
  });
}

SizeCoefficients read_size_coefficients(const std::string& path) {
  return checked(path, [](const JsonKeys& keys) {
    SizeCoefficients content;
    const CoefficientsKind kind = kind_from(keys);
    read_head(keys, is_of_sizes(kind) ? kind : CoefficientsKind::memory, content);
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

std::map<std::string, LogGpParts> read_loggp_parts(const std::string& path) {
  return checked(path, [](const JsonKeys& keys) {
    std::map<std::string, LogGpParts> parts;
    const JsonKeys models = keys.object("models");
    for (const std::string& name : models.names()) parts.emplace(name, loggp_parts_from(models.object(name)));
    return parts;
  });
}

ShareCoefficients read_share_coefficients(const std::string& path, CoefficientsKind kind) {
  const bool overlaps = kind == CoefficientsKind::overlap;
  const char* share = overlaps ? core::names::overlap_efficiency : "processor_usage";
  return checked(path, [&](const JsonKeys& keys) {
    ShareCoefficients content;
    read_head(keys, kind, content);
    for (const std::string& name : keys.object("models").names()) {
      const JsonKeys one = keys.object("models").object(name).object(share);
      const double value = one.number("value");
      if (overlaps ? value > 1 : value >= 1)
        one.fail("value", overlaps ? "a share up to 1" : "a share below 1", one.at("value"));
      content.shares.emplace(name, coefficient_from(one, share));
    }
    return content;
  });
}

}  // namespace assay::model::fit
