// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/files/folder_text.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/files/whole_file.hpp"

namespace assay::core {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view before_name = "==> ", after_name = " <==";
constexpr std::size_t most_files = 1U << 16U, most_bytes = std::size_t{512} << 20U;

std::vector<fs::path> files_of_folder(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with('.')) continue;
    if (at->path().filename().string().find('\n') != std::string::npos)
      usage_error(folder + ": expected names of files without line ends");
    files.push_back(at->path());
    if (files.size() > most_files)
      usage_error(folder + ": expected at most " + std::to_string(most_files) + " files");
  }
  if (error) usage_error(folder + ": cannot be read: " + error.message());
  if (files.empty()) usage_error(folder + ": expected files, got an empty folder");
  std::ranges::sort(files);
  return files;
}

/// Between the two parts of such a line; empty where it is none.
std::string_view name_in(std::string_view line) {
  if (!line.starts_with(before_name) || !line.ends_with(after_name)) return {};
  if (line.size() <= before_name.size() + after_name.size()) return {};
  line.remove_prefix(before_name.size());
  line.remove_suffix(after_name.size());
  return line;
}

void append(std::string& text, const NamedText& file) {
  text.append(before_name).append(file.name).append(after_name).append("\n").append(file.text).append("\n");
}

}  // namespace

std::optional<std::string> folder_as_text(const std::string& path) {
  std::error_code none;
  if (!fs::is_directory(path, none)) return {};
  std::string text;
  for (const fs::path& file : files_of_folder(path)) {
    append(text, {file.filename().string(), read_input(file.string(), "one of several files", most_bytes)});
    if (text.size() > most_bytes)
      usage_error(path + ": expected at most " + std::to_string(most_bytes) + " bytes in all its files");
  }
  return text;
}

std::string text_of_files(const std::vector<NamedText>& files) {
  std::string text;
  for (const NamedText& one : files) append(text, one);
  return text;
}

std::string read_file_or_folder(const std::string& path) {
  std::optional<std::string> folder = folder_as_text(path);
  return folder ? std::move(*folder) : read_whole_file(path);
}

std::vector<NamedText> files_in_text(std::string_view text) {
  std::vector<NamedText> files;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    const std::string_view name = name_in(line.ends_with('\n') ? line.substr(0, end - 1) : line);
    if (!name.empty())
      files.push_back({std::string(name), ""});
    else if (files.empty())
      return {};
    else
      files.back().text.append(line);
    text.remove_prefix(end);
  }
  return files;
}

}  // namespace assay::core
