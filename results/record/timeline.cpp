// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/timeline.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Scalar& scalar) {
  return std::visit([](const auto& value) { return Json(value); }, scalar);
}

/// Empty for what is no scalar: a number that was not finite is null.
std::optional<Scalar> scalar_from(const Json& value) {
  if (value.is_number_integer()) return Scalar(value.get<std::int64_t>());
  if (value.is_number()) return Scalar(value.get<double>());
  if (value.is_string()) return Scalar(value.get<std::string>());
  return std::nullopt;
}

/// Timelines written before schema 2 call a module a room.
std::string name_today(const std::string& name) {
  return name == "room" ? "module" : name == "rooms" ? "modules" : name;
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& doing) {
  throw std::system_error(errno, std::generic_category(), "timeline " + path.string() + ": " + doing);
}

}  // namespace

const Scalar* find(const Fields& fields, const std::string& name) {
  const auto found = std::ranges::find_if(fields, [&](const auto& field) { return field.first == name; });
  return found == fields.end() ? nullptr : &found->second;
}

std::optional<double> number_of(const Scalar& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

std::string to_line(const TimelineEntry& entry) {
  Json line{{"time", entry.time},
            {"at_s", std::round(entry.at_s * 1000) / 1000},
            {"kind", entry.kind},
            {"unit", entry.unit},
            {"value", json_of(entry.value)}};
  for (const auto& [name, value] : entry.more) line[name] = json_of(value);
  return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<TimelineEntry> timeline_entry_from(const std::string& text) {
  const Json line = Json::parse(text, nullptr, false);
  if (!line.is_object()) return std::nullopt;
  TimelineEntry entry;
  bool has_value = false, has_at = false;
  for (const auto& [written, json] : line.items()) {
    const std::optional<Scalar> value = scalar_from(json);
    if (!value) continue;
    const std::string name = name_today(written);
    const auto* word = std::get_if<std::string>(&*value);
    if (name == "time" && word != nullptr)
      entry.time = *word;
    else if (name == "kind" && word != nullptr)
      entry.kind = name_today(*word);
    else if (name == "unit" && word != nullptr)
      entry.unit = *word;
    else if (name == "at_s" && json.is_number())
      entry.at_s = json.get<double>(), has_at = true;
    else if (name == "value")
      entry.value = *value, has_value = true;
    else
      entry.more.emplace_back(name, *value);
  }
  if (entry.kind.empty() || entry.time.empty() || !has_value || !has_at) return std::nullopt;
  return entry;
}

std::optional<double> TimelineEntry::number() const { return number_of(value); }

std::string TimelineEntry::word() const {
  const auto* said = std::get_if<std::string>(&value);
  return said == nullptr ? "" : *said;
}

std::string TimelineEntry::text(const std::string& name) const {
  const Scalar* found = find(more, name);
  const auto* said = found == nullptr ? nullptr : std::get_if<std::string>(found);
  return said == nullptr ? "" : *said;
}

std::int64_t TimelineEntry::count(const std::string& name) const {
  const Scalar* found = find(more, name);
  const auto* number_found = found == nullptr ? nullptr : std::get_if<std::int64_t>(found);
  return number_found == nullptr ? 0 : *number_found;
}

TimelineWriter::TimelineWriter(const std::filesystem::path& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) fail(path_, "opening it to append");
  char last = '\n';
  if (const off_t end = lseek(descriptor_, 0, SEEK_END);
      end > 0 && pread(descriptor_, &last, 1, end - 1) != 1)
    last = '\n';
  if (last != '\n' && ::write(descriptor_, "\n", 1) != 1) fail(path_, "writing");
}

TimelineWriter::~TimelineWriter() {
  if (descriptor_ >= 0) close(descriptor_);
}

void TimelineWriter::write(const TimelineEntry& entry) const {
  const std::string line = to_line(entry);
  errno = 0;
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    fail(path_, "writing");
}

Timeline read_timeline(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path);
  if (!file) fail(path, "opening it");
  Timeline timeline;
  long at = 0, bad = 0;  // `bad`: the line before, where it is none
  for (std::string line; std::getline(file, line);) {
    ++at;
    auto entry = timeline_entry_from(line);
    const bool resumes = entry && entry->kind == "session" && entry->word() == "resumed";
    if (bad > 0) (resumes ? timeline.torn : timeline.damaged).push_back(bad);
    bad = entry || line.empty() ? 0 : at;
    if (entry) timeline.entries.push_back(std::move(*entry));
    if (bad > 0 && file.eof()) timeline.torn.push_back(std::exchange(bad, 0));  // without its newline
  }
  if (bad > 0) timeline.damaged.push_back(bad);
  return timeline;
}

}  // namespace assay::results
