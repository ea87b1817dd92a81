// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/timeline.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>
#include <utility>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/record/json/record_json.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

/// Timelines written before schema 2 call a module a room.
std::string name_today(const std::string& name) {
  return name == "room" ? "module" : name == "rooms" ? "modules" : name;
}

/// Today's word for the first words of a value that held its reason, too; empty for a value of today.
std::string word_today(const std::string& first_words) {
  if (first_words == "no answer") return entry_word::no_answer;
  if (first_words == "not told") return entry_word::unknown;
  const auto status = status_from(first_words);
  return first_words == entry_word::unknown || (status && *status != Status::ok) ? first_words : "";
}

/// Once: "no answer: killed", "not told: needs root", "unknown: needs root", "wrong: bit 12 missed".
void read_older_value(TimelineEntry& entry) {
  auto* value = std::get_if<std::string>(&entry.value);
  if (value == nullptr) return;
  if (*value == "whether it was caught is unknown") *value = entry_word::not_checked;
  const std::size_t colon = value->find(": ");
  const std::string word = word_today(value->substr(0, colon));
  if (word.empty()) return;
  if (colon != std::string::npos) entry.more.emplace_back("why", value->substr(colon + 2));
  *value = word;
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& doing) {
  throw std::system_error(errno, std::generic_category(), "timeline " + path.string() + ": " + doing);
}

}  // namespace

std::string to_line(const TimelineEntry& entry) {
  Json line{{"time", entry.time},
            {"at_s", std::round(entry.at_s * 1000) / 1000},
            {"kind", entry.kind},
            {"unit", entry.unit},
            {"value", to_json(entry.value)}};
  for (const auto& [name, value] : entry.more) line[name] = to_json(value);
  return core::json_text(line) + "\n";
}

std::optional<TimelineEntry> timeline_entry_from(const std::string& text) {
  const Json line = core::json_or_discarded<Json>(text);
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
  read_older_value(entry);
  return entry;
}

std::string Answer::sentence() const {
  const std::string begin = word == entry_word::no_answer     ? "no answer"
                            : word == entry_word::not_checked ? "whether it was caught is unknown"
                                                              : word;
  return why.empty() ? begin : begin + ": " + why;
}

std::optional<double> TimelineEntry::number() const { return number_of(value); }

std::string TimelineEntry::word() const { return word_or_empty(value); }

std::string TimelineEntry::text(const std::string& name) const {
  const Scalar* found = find(more, name);
  return found == nullptr ? "" : word_or_empty(*found);
}

std::int64_t TimelineEntry::count(const std::string& name) const {
  const Scalar* found = find(more, name);
  const auto* number_found = found == nullptr ? nullptr : std::get_if<std::int64_t>(found);
  return number_found == nullptr ? 0 : *number_found;
}

TimelineWriter::TimelineWriter(const std::filesystem::path& path)
    : path_(path), file_(open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644)) {
  if (!file_) fail(path_, "opening it to append");
  char last = '\n';
  if (const off_t end = lseek(file_.get(), 0, SEEK_END);
      end > 0 && pread(file_.get(), &last, 1, end - 1) != 1)
    last = '\n';
  if (last != '\n' && ::write(file_.get(), "\n", 1) != 1) fail(path_, "writing");
}

void TimelineWriter::write(const TimelineEntry& entry) const {
  const std::string line = to_line(entry);
  errno = 0;
  if (::write(file_.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    fail(path_, "writing");
}

Timeline read_timeline(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream file(path);
  if (!file) fail(path, "opening it");
  Timeline timeline;
  long at = 0, bad = 0;  // `bad`: the line before, where it is not an entry
  for (std::string line; std::getline(file, line);) {
    ++at;
    auto entry = timeline_entry_from(line);
    const bool resumes = entry && entry->kind == "session" && entry->word() == entry_word::resumed;
    if (bad > 0) (resumes ? timeline.torn : timeline.damaged).push_back(bad);
    bad = entry || line.empty() ? 0 : at;
    if (entry) timeline.entries.push_back(std::move(*entry));
    if (bad > 0 && file.eof()) timeline.torn.push_back(std::exchange(bad, 0));  // without its newline
  }
  if (bad > 0) timeline.damaged.push_back(bad);
  return timeline;
}

}  // namespace assay::results
