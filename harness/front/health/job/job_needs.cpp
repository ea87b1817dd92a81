// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/job/job_needs.hpp"

#include <fmt/format.h>

#include <regex>

namespace assay::health {
namespace {

/// "unlimited", or a size.
std::optional<std::uint64_t> size_or_unlimited(const core::TomlSection& job, std::string_view key) {
  const toml::node* const value = job.node(key);
  if (value != nullptr && value->value_exact<std::string>() == "unlimited") return unlimited;
  return job.bytes(key);
}

void take_words(const core::TomlSection& job, std::string_view key, std::vector<std::string>& into) {
  if (auto words = job.words(key)) into = std::move(*words);
}

}  // namespace

std::optional<RegistryAddress> registry_address(const std::string& text) {
  static const std::regex form(R"((https?)://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?/?)");
  std::smatch parts;
  if (text.size() > 300 || !std::regex_match(text, parts, form)) return std::nullopt;
  const bool encrypted = parts[1] == "https";
  std::string host = parts[2], port = parts[3];
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  return RegistryAddress{encrypted, host, !port.empty() ? port : encrypted ? "443" : "80"};
}

void take_job(const core::TomlSection& section, JobNeeds& into) {
  const auto job = section.table("job");
  if (!job) return;
  job->allow({"names", "registries", "memlock", "open_files", "shm", "deadline_s", "container",
              "container_deadline_s"});
  take_words(*job, "names", into.names);
  take_words(*job, "registries", into.registries);
  for (const std::string& registry : into.registries)
    if (!registry_address(registry))
      job->refuse(
          "registries",
          "expected addresses such as \"https://registry.site:5000\", without path, user or password");
  take_words(*job, "container", into.container);
  if (const auto size = size_or_unlimited(*job, "memlock")) into.locked_bytes = size;
  if (const auto count = job->count("open_files")) into.open_files = *count;
  if (const auto size = job->bytes("shm")) into.shared_bytes = size;
  constexpr core::Terms seconds{.lowest = 0.1, .highest = 600};
  into.deadline_s = job->number("deadline_s", seconds).value_or(into.deadline_s);
  into.container_deadline_s =
      job->number("container_deadline_s", seconds).value_or(into.container_deadline_s);
}

}  // namespace assay::health
