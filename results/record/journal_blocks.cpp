// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/journal_blocks.hpp"

#include <cerrno>
#include <exception>
#include <fstream>
#include <memory>
#include <system_error>

#include "harness/core/parse_limits.hpp"
#include "results/record/clock_watch.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/secrets.hpp"

namespace assay::results {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16;
constexpr std::size_t usual_line_bytes = 1024;
constexpr std::size_t most_waiting = 16;  // blocks: bounds the memory

[[noreturn]] void fail(int error, const std::filesystem::path& path, const char* what) {
  throw std::system_error(error, std::generic_category(), "journal " + path.string() + what);
}

core::ByteSource opened_journal(const std::filesystem::path& path) {
  auto file = std::make_shared<std::ifstream>(path, std::ios::binary);
  if (!*file || std::filesystem::is_directory(path))
    fail(*file ? EISDIR : errno, path, ": opening it to read");
  return [file, path](char* to, std::size_t size) {
    file->read(to, static_cast<std::streamsize>(size));
    if (file->bad()) fail(EIO, path, ": reading it");
    return static_cast<std::size_t>(file->gcount());
  };
}

/// Up to the last newline of what was read; the rest is the beginning of the next block.
class WholeLines {
 public:
  explicit WholeLines(core::ByteSource source) : source_(std::move(source)) {}

  /// Whole lines; at the end also one without its newline. Empty: there are no more. A line of more than
  /// ParseLimits::line_bytes comes alone, cut to that length and one byte.
  std::string next() {
    std::string text = std::move(rest_);
    rest_.clear();
    if (const std::size_t newline = text.rfind('\n'); newline != std::string::npos) {
      rest_ = text.substr(newline + 1);
      text.resize(newline + 1);
      return text;
    }
    while (!ended_) {
      const std::size_t had = text.size();
      if (had > core::ParseLimits::line_bytes) return cut_line(std::move(text));
      text.resize(had + block_bytes);
      const std::size_t got = source_(text.data() + had, block_bytes);
      text.resize(had + got);
      ended_ = got == 0;
      const std::string_view came = std::string_view(text).substr(had);  // no newline was before it
      std::size_t newline = came.rfind('\n');
      if (ended_ || newline == std::string::npos) continue;
      newline += had;
      rest_ = text.substr(newline + 1);
      text.resize(newline + 1);
      return text;
    }
    return text;
  }

 private:
  /// Drops what follows up to the next newline.
  std::string cut_line(std::string text) {
    text.resize(core::ParseLimits::line_bytes + 1);
    std::string piece(block_bytes, '\0');
    while (!ended_) {
      const std::size_t got = source_(piece.data(), piece.size());
      ended_ = got == 0;
      const std::size_t newline = std::string_view(piece).substr(0, got).find('\n');
      if (newline == std::string::npos) continue;
      rest_ = piece.substr(newline + 1, got - newline - 1);
      break;
    }
    return text;
  }

  core::ByteSource source_;
  bool ended_ = false;
  std::string rest_;  // has no newline, but after a line that was cut
};

class BlocksOfJournal {
 public:
  BlocksOfJournal(const std::filesystem::path& path, std::size_t journal, core::ByteSource source)
      : path_(path), journal_(journal), lines_(std::move(source)) {}

  /// In the order of the lines; null at the end.
  std::unique_ptr<JournalBlock> next() {
    auto block = std::make_unique<JournalBlock>();
    block->journal = journal_;
    block->text = lines_.next();
    if (block->text.empty()) return nullptr;
    read_lines(*block);
    return block;
  }

 private:
  void read_lines(JournalBlock& block) {
    std::string& text = block.text;
    block.lines.reserve(1 + text.size() / usual_line_bytes);
    for (std::size_t begin = 0; begin < text.size(); ++number_) {
      const std::size_t newline = text.find('\n', begin);
      const bool torn = newline == std::string::npos;
      std::size_t end = torn ? text.size() : newline;
      const std::size_t after = torn ? end : end + 1;
      if (end > begin && text[end - 1] == '\r') --end;
      if (end > begin) read_line(text.data() + begin, end - begin, torn, block);
      begin = after;
    }
  }

  void read_line(char* begin, std::size_t size, bool torn, JournalBlock& block) {
    if (size > core::ParseLimits::line_bytes) {
      block.problems.push_back(refused_line(path_, number_, longer_than_any_line(), false));
      return;
    }
    if (auto row = point_row(begin, size, &block.memory)) {
      doubt(clock_.see(*row), block);
      block.lines.push_back({number_, std::move(*row)});
      return;
    }
    try {
      auto record = std::make_unique<Record>(from_line_of_any_form(std::string(begin, size)));
      doubt(std::visit([this](const auto& held) { return clock_.see(held); }, *record), block);
      if (const auto* context = std::get_if<ContextRecord>(record.get())) name_secrets(*context, block);
      block.lines.push_back({number_, std::move(record)});
    } catch (const std::runtime_error& error) {
      block.problems.push_back(refused_line(path_, number_, error.what(), torn));
    }
  }

  void doubt(std::optional<std::string> said, JournalBlock& block) const {
    if (said) block.doubts.push_back({path_, number_, std::move(*said)});
  }

  void name_secrets(ContextRecord context, JournalBlock& block) const {
    for (const std::string& where : take_out_secrets(context))
      block.secrets.push_back({path_, number_, where});
  }

  const std::filesystem::path& path_;
  std::size_t journal_;
  WholeLines lines_;
  ClockWatch clock_;
  long number_ = 1;
};

}  // namespace

JournalBlocks::JournalBlocks(std::span<const std::filesystem::path> paths, core::ByteSource lines)
    : blocks_(most_waiting), thread_([this, paths, lines = std::move(lines)] { read_all(paths, lines); }) {}

JournalBlocks::~JournalBlocks() {
  blocks_.give_up();
  thread_.join();
}

void JournalBlocks::read_all(std::span<const std::filesystem::path> paths, const core::ByteSource& lines) {
  std::exception_ptr failed;
  try {
    bool wanted = true;
    for (std::size_t i = 0; i < paths.size() && wanted; ++i) {
      BlocksOfJournal journal(paths[i], i, lines ? lines : opened_journal(paths[i]));
      for (auto block = journal.next(); block && wanted; block = journal.next())
        wanted = blocks_.put(std::move(block));
    }
  } catch (...) {
    failed = std::current_exception();
  }
  blocks_.end(failed);
}

}  // namespace assay::results
