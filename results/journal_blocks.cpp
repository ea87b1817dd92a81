// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/journal_blocks.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <system_error>

namespace assay::results {
namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 18;
constexpr std::size_t most_waiting = 8;  // blocks: bounds the memory

[[noreturn]] void fail(int error, const std::filesystem::path& path, const char* what) {
  throw std::system_error(error, std::generic_category(), "journal " + path.string() + what);
}

/// Reads up to the last newline of what is there; the rest is the beginning of the next block.
class LinesOfFile {
 public:
  explicit LinesOfFile(const std::filesystem::path& path) : path_(path), file_(path, std::ios::binary) {
    if (!file_ || std::filesystem::is_directory(path))
      fail(file_ ? EISDIR : errno, path, ": opening it to read");
  }

  /// Whole lines; at the end of the file also one without its newline. Empty: there are no more.
  std::string next() {
    std::string text = std::move(rest_);
    rest_.clear();
    while (file_) {
      const std::size_t had = text.size();
      text.resize(had + block_bytes);
      file_.read(text.data() + had, static_cast<std::streamsize>(block_bytes));
      text.resize(had + static_cast<std::size_t>(file_.gcount()));
      if (file_.bad()) fail(EIO, path_, ": reading it");
      const std::size_t newline = text.rfind('\n');
      if (!file_ || newline == std::string::npos) continue;
      rest_ = text.substr(newline + 1);
      text.resize(newline + 1);
      return text;
    }
    return text;
  }

 private:
  const std::filesystem::path& path_;
  std::ifstream file_;
  std::string rest_;
};

void read_line(const std::filesystem::path& path, long number, std::string_view line, bool torn,
               JournalBlock& block) {
  try {
    block.lines.push_back({number, std::make_unique<Record>(from_line(std::string(line)))});
  } catch (const std::runtime_error& error) {
    block.problems.push_back(
        {path, number, std::string(error.what()) + (torn ? " (last line, no newline)" : "")});
  }
}

void read_lines(const std::filesystem::path& path, long& number, JournalBlock& block) {
  std::string& text = block.text;
  block.lines.reserve(1 + static_cast<std::size_t>(std::ranges::count(text, '\n')));
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t newline = text.find('\n', begin);
    const bool torn = newline == std::string::npos;  // the writer was killed, or is still writing
    std::size_t end = torn ? text.size() : newline;
    const std::size_t after = torn ? end : end + 1;
    if (end > begin && text[end - 1] == '\r') --end;
    if (end > begin) {
      if (auto row = point_row(text.data() + begin, end - begin))
        block.lines.push_back({number, std::move(*row)});
      else
        read_line(path, number, std::string_view(text).substr(begin, end - begin), torn, block);
    }
    begin = after;
  }
}

}  // namespace

bool read_blocks(const std::filesystem::path& path, std::size_t journal, const Deliver& deliver) {
  LinesOfFile file(path);
  long number = 1;
  while (true) {
    auto block = std::make_unique<JournalBlock>();
    block->journal = journal;
    block->text = file.next();
    if (block->text.empty()) return true;
    read_lines(path, number, *block);
    if (!deliver(std::move(block))) return false;
  }
}

JournalBlocks::JournalBlocks(std::span<const std::filesystem::path> paths)
    : thread_([this, paths] { read_all(paths); }) {}

JournalBlocks::~JournalBlocks() {
  {
    const std::lock_guard lock(mutex_);
    given_up_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void JournalBlocks::read_all(std::span<const std::filesystem::path> paths) {
  std::exception_ptr failed;
  try {
    const Deliver deliver = [this](std::unique_ptr<JournalBlock> block) { return put(std::move(block)); };
    for (std::size_t i = 0; i < paths.size() && read_blocks(paths[i], i, deliver); ++i) {
    }
  } catch (...) {
    failed = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    failed_ = failed;
    read_to_the_end_ = true;
  }
  changed_.notify_all();
}

bool JournalBlocks::put(std::unique_ptr<JournalBlock> block) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return given_up_ || waiting_.size() < most_waiting; });
    if (given_up_) return false;
    waiting_.push_back(std::move(block));
  }
  changed_.notify_all();
  return true;
}

std::unique_ptr<JournalBlock> JournalBlocks::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return read_to_the_end_ || !waiting_.empty(); });
  if (waiting_.empty()) {
    if (failed_) std::rethrow_exception(failed_);
    return nullptr;
  }
  auto block = std::move(waiting_.front());
  waiting_.pop_front();
  lock.unlock();
  changed_.notify_all();
  return block;
}

}  // namespace assay::results
