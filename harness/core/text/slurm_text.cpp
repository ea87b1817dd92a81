// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/slurm_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/folder_text.hpp"
#include "harness/core/files/input_file.hpp"

namespace assay::core {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_includes = 64, most_bytes = std::size_t{512} << 20U;

/// Up to a remark, which begins with a '#' that has no backslash before it.
std::string without_remark(const std::string& line) {
  std::string kept;
  for (std::size_t at = 0; at < line.size() && line[at] != '#'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '#') ++at;
    kept += line[at];
  }
  return kept;
}

std::vector<SlurmLine> whole_lines(const std::string& text, const std::string& file) {
  std::vector<SlurmLine> lines;
  std::istringstream in(text);
  bool continued = false;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    line = without_remark(line);
    if (!continued) lines.push_back({"", file + ":" + std::to_string(number)});
    continued = line.ends_with('\\');
    if (continued) line.back() = ' ';
    lines.back().text += line;
  }
  std::erase_if(
      lines, [](const SlurmLine& line) { return line.text.find_first_not_of(" \t") == std::string::npos; });
  return lines;
}

bool is_blank(char one) { return one == ' ' || one == '\t'; }

/// As `include NAME` writes it; none of other lines.
std::optional<std::string> included_by(const std::string& line) {
  constexpr std::string_view word = "include";
  const std::size_t begin = line.find_first_not_of(" \t"), end = begin + word.size();
  if (end >= line.size() || !is_blank(line[end])) return std::nullopt;
  const auto is_same = [](unsigned char a, char b) { return std::tolower(a) == b; };
  if (!std::ranges::equal(line.substr(begin, word.size()), word, is_same)) return std::nullopt;
  std::string name = line.substr(std::min(line.find_first_not_of(" \t", end), line.size()));
  name.resize(name.find_last_not_of(" \t") + 1);
  if (name.empty() || name.starts_with('=')) return std::nullopt;
  return name;
}

/// From the folder of the first file, as all names of a text are.
std::string named_from(const std::string& includer, const std::string& name) {
  return (fs::path(includer).parent_path() / name).lexically_normal().string();
}

std::string place_of(const std::string& file, const std::string& name) {
  return (fs::path(file).parent_path() / name).string();
}

class Files {
 public:
  explicit Files(std::string path) : path_(std::move(path)) {}

  void read(const std::string& name, const std::string& expected) {
    if (std::ranges::any_of(files_, [&](const NamedText& one) { return one.name == name; })) return;
    if (files_.size() > most_includes)
      usage_error(path_ + ": expected at most " + std::to_string(most_includes) + " included files");
    const std::string file = place_of(path_, name);
    files_.push_back({name, read_input(file, expected, most_bytes)});
    const std::string text = files_.back().text;
    if (!files_in_text(text).empty()) return;  // holds what it includes
    for (const SlurmLine& line : whole_lines(text, file))
      if (const auto included = included_by(line.text))
        read(named_from(name, *included), "a file that " + line.place + " includes");
  }

  /// The text of the only one, or of all.
  std::string take() {
    if (files_.size() == 1) return std::move(files_.front().text);
    return text_of_files(files_);
  }

 private:
  std::string path_;
  std::vector<NamedText> files_;
};

class Lines {
 public:
  Lines(std::vector<NamedText> files, std::string file) : files_(std::move(files)), file_(std::move(file)) {}

  std::vector<SlurmLine> all() {
    add(files_.front(), file_);
    return std::move(lines_);
  }

 private:
  void add(const NamedText& from, const std::string& file) {
    for (SlurmLine& line : whole_lines(from.text, file)) {
      if (const auto included = included_by(line.text))
        include(named_from(from.name, *included), line.place);
      else
        lines_.push_back(std::move(line));
    }
  }

  void include(const std::string& name, const std::string& place) {
    if (++includes_ > most_includes)
      usage_error(place + ": expected at most " + std::to_string(most_includes) + " included files");
    const auto found = std::ranges::find(files_, name, &NamedText::name);
    if (found == files_.end())
      usage_error(place + ": include: expected a text that holds '" + name + "' too");
    add(*found, place_of(file_, name));
  }

  std::vector<NamedText> files_;
  std::string file_;
  std::size_t includes_ = 0;
  std::vector<SlurmLine> lines_;
};

}  // namespace

std::string read_slurm_file(const std::string& path) {
  Files files(path);
  files.read(fs::path(path).filename().string(), "Slurm's topology");
  return files.take();
}

std::vector<SlurmLine> slurm_lines(const std::string& text, const std::string& file) {
  std::vector<NamedText> files = files_in_text(text);
  if (files.empty()) files.push_back({fs::path(file).filename().string(), text});
  return Lines(std::move(files), file).all();
}

}  // namespace assay::core
