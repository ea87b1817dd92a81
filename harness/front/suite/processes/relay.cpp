// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/relay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/front/suite/processes/base64.hpp"

namespace assay::suite {
namespace {

constexpr std::string_view mark = "@relay ";
constexpr std::size_t piece_bytes = 600;  // launchers pass on lines of this length whole

std::string value_of(const std::vector<std::string>& words, std::string_view flag) {
  const auto found = std::ranges::find(words, flag);
  return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
}

std::string plan_word(const std::filesystem::path& plan) {
  constexpr std::size_t longest = 120'000;  // Linux takes 128 KiB (MAX_ARG_STRLEN)
  std::ifstream stream(plan, std::ios::binary);
  std::string word = to_base64(std::string{std::istreambuf_iterator<char>(stream), {}});
  if (word.size() > longest)
    core::usage_error(fmt::format("{}: this plan is {} bytes too long for nodes that do not see it",
                                  plan.string(), word.size() - longest));
  return word;
}

}  // namespace

std::vector<std::string> relayed(const std::vector<std::string>& engine_words, const std::string& program,
                                 const std::vector<std::string>& rank_words) {
  std::vector<std::string> words{std::filesystem::read_symlink("/proc/self/exe").string(), "relay", "here"};
  words.insert(words.end(), engine_words.begin(), engine_words.end());
  words.insert(words.end(), {program, "relay", "rank", plan_word(shared_files_in(rank_words).plan)});
  words.insert(words.end(), rank_words.begin(), rank_words.end());
  return words;
}

SharedFiles shared_files_in(const std::vector<std::string>& words) {
  constexpr std::string_view announcements = "--heartbeat-file=";
  SharedFiles files{
      .plan = value_of(words, "--plan"), .journal = value_of(words, "--journal"), .announcements = {}};
  for (const std::string& word : words)
    if (word.starts_with(announcements)) files.announcements = word.substr(announcements.size());
  return files;
}

std::string to_line(const RelayPiece& piece) {
  return fmt::format("{}{} {} {} {}\n", mark, piece.file, piece.begins_line ? '^' : '-', piece.at,
                     to_base64(piece.bytes));
}

std::optional<RelayPiece> relay_piece_in(std::string_view line, std::string& before) {
  const std::size_t begin = line.find(mark);
  if (begin == std::string_view::npos) return std::nullopt;
  before = line.substr(0, begin);
  const std::string_view text = line.substr(begin + mark.size());
  if (text.size() < 6 || text[1] != ' ' || text[3] != ' ') return std::nullopt;
  RelayPiece piece{.file = text[0], .begins_line = text[2] == '^', .at = 0, .bytes = {}};
  const char* const end = text.data() + text.size();
  const auto [after, problem] = std::from_chars(text.data() + 4, end, piece.at);
  if (problem != std::errc() || after == end || *after != ' ') return std::nullopt;
  auto bytes = from_base64({after + 1, end});
  if (!bytes) return std::nullopt;
  piece.bytes = std::move(*bytes);
  return piece;
}

std::vector<RelayPiece> pieces_of(char file, std::size_t at, std::string_view text) {
  std::vector<RelayPiece> pieces;
  bool begins_line = true;
  for (std::size_t done = 0; done < text.size();) {
    const std::size_t line = text.find('\n', done);
    const std::size_t end =
        std::min(line == std::string_view::npos ? text.size() : line + 1, done + piece_bytes);
    pieces.push_back({file, begins_line, at + done, std::string(text.substr(done, end - done))});
    begins_line = text[end - 1] == '\n';
    done = end;
  }
  return pieces;
}

std::string RelayedLines::take(const RelayPiece& piece) {
  const bool follows = next_ == piece.at;
  if (next_ && !follows) lost_ = true;
  if (!follows && !piece.begins_line) {
    lost_ = true;
    rest_.clear();
    next_.reset();
    return {};
  }
  if (!follows) rest_.clear();
  rest_ += piece.bytes;
  next_ = piece.at + piece.bytes.size();
  const std::size_t end = rest_.rfind('\n');
  if (end == std::string::npos) return {};
  const std::string lines = rest_.substr(0, end + 1);
  rest_.erase(0, end + 1);
  return lines;
}

std::string to_input(const std::map<std::string, std::string>& files) {
  std::string text;
  for (const auto& [path, content] : files) text += fmt::format("{} {}\n{}", content.size(), path, content);
  return text;
}

std::map<std::string, std::string> files_from_input(const std::string& text) {
  std::map<std::string, std::string> files;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t gap = text.find(' ', at), line = text.find('\n', at);
    std::size_t size = 0;
    const bool numbered = gap < line && line != std::string::npos &&
                          std::from_chars(text.data() + at, text.data() + gap, size).ptr == text.data() + gap;
    if (!numbered || size > text.size() - line - 1)
      throw core::Error(core::ErrorKind::system, "rank 0 did not receive plan and journal whole");
    files[text.substr(gap + 1, line - gap - 1)] = text.substr(line + 1, size);
    at = line + 1 + size;
  }
  return files;
}

}  // namespace assay::suite
