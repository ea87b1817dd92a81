// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/bundle/judgement.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <variant>

#include "harness/core/error.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_prefix = "assay-bundle-";
constexpr const char* lock_name = ".in-use";  // no member's name begins with a dot
constexpr auto surely_made = std::chrono::hours(1);

[[noreturn]] void fail_unpacking(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bool is_own_folder(const fs::path& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::geteuid();
}

/// Its process holds the lock while it lives. One without a lock is being made, or was killed just then.
bool is_left_behind(const fs::path& folder) {
  const int lock = ::open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0) {
    const bool none = errno == ENOENT;
    std::error_code error;
    const auto made = fs::last_write_time(folder, error);
    return none && !error && fs::file_time_type::clock::now() - made > surely_made;
  }
  const bool free = ::flock(lock, LOCK_EX | LOCK_NB) == 0;
  ::close(lock);
  return free;
}

void remove_left_behind(const fs::path& in) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(in, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const fs::path& path = entry->path();
    if (!path.filename().string().starts_with(folder_prefix) || !is_own_folder(path)) continue;
    std::error_code ignored;
    if (is_left_behind(path)) fs::remove_all(path, ignored);
  }
}

/// Of a new folder in `in`, whose path it returns too.
int locked_folder(const fs::path& in, fs::path& folder) {
  std::string name = (in / (std::string(folder_prefix) + "XXXXXX")).string();
  if (!::mkdtemp(name.data())) fail_unpacking("making folder " + name);
  folder = name;
  const std::string file = folder / lock_name;
  const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (lock < 0) fail_unpacking("making " + file);
  while (::flock(lock, LOCK_EX) != 0 && errno == EINTR) {
  }
  return lock;
}

/// False where another process took the folder for one left behind, before it was locked.
bool is_there(int lock) {
  struct stat status{};
  return ::fstat(lock, &status) == 0 && status.st_nlink > 0;
}

/// Members of a bundle as files, for what reads files; gone with this, and after a kill at the next start.
class Unpacked {
 public:
  /// Removes what processes left that did not live to. Throws std::system_error.
  Unpacked() {
    const fs::path in = fs::temp_directory_path();
    remove_left_behind(in);
    while (!is_there(lock_ = locked_folder(in, folder_))) ::close(lock_);
  }
  ~Unpacked() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    ::close(lock_);
  }
  Unpacked(const Unpacked&) = delete;
  Unpacked& operator=(const Unpacked&) = delete;

  /// Where the member lies now. Throws std::runtime_error where it cannot be written.
  std::string add(const Member& member) {
    const fs::path path = folder_ / member.name;
    fs::create_directories(path.parent_path());
    std::ofstream stream(path, std::ios::binary);
    stream << member.content;
    stream.close();
    if (!stream) throw std::runtime_error(path.string() + ": cannot be written");
    return path;
  }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  int lock_ = -1;  // held while this process lives: its folder is in use
};

/// Names files as in the bundle: where they are unpacked is another folder each time.
class Renamed {
 public:
  explicit Renamed(const Unpacked& unpacked) : folder_(unpacked.folder().string() + "/") {}

  std::string operator()(std::string text) const {
    for (std::size_t at = 0; (at = text.find(folder_, at)) != std::string::npos;)
      text.erase(at, folder_.size());
    return text;
  }
  void operator()(std::vector<std::string>& texts) const {
    for (std::string& text : texts) text = (*this)(std::move(text));
  }
  void operator()(Judged& part) const {
    Verdicts& verdicts = part.verdicts;
    verdicts.subject = (*this)(std::move(verdicts.subject));
    (*this)(verdicts.notes);
    for (VerdictRow& row : verdicts.rows) {
      for (std::string* text : {&row.metric, &row.limit_source, &row.because, &row.meaning})
        *text = (*this)(std::move(*text));
      (*this)(row.evidence);
    }
    part.table.title = (*this)(std::move(part.table.title));
    (*this)(part.table.notes);
    for (auto& row : part.table.rows)
      for (Cell& cell : row)
        if (auto* text = std::get_if<std::string>(&cell)) *text = (*this)(std::move(*text));
  }

 private:
  std::string folder_;
};

Evidence unpacked_evidence(const BundledEvidence& bundled, const Store& store, Unpacked& unpacked,
                           const Foretell& foretell) {
  Evidence evidence{store, bundled.order, {}, bundled.damage, foretell};
  for (const auto& [input, members] : bundled.files)
    for (const Member& member : members) evidence.files[input].push_back(unpacked.add(member));
  return evidence;
}

Judgement judged(const Evidence& evidence, const Renamed& renamed) {
  Judgement judgement{.verdicts = {.command = "bundle"}, .text = {}};
  for (Judged& part : ask_judges(evidence, Unjudgeable::is_open)) {
    renamed(part);
    judgement.text += to_text(part.table) + "\n";
    append(judgement.verdicts, std::move(part));
  }
  judgement.verdicts.runs = judged_runs(evidence.store);
  judgement.text +=
      fmt::format("{}: {}\n", judgement.verdicts.command, to_string(judgement.verdicts.verdict));
  return judgement;
}

}  // namespace

Judgement judge(const BundledEvidence& bundled, const Foretell& foretell) {
  Unpacked unpacked;
  Store store("");
  store.import_journal(unpacked.add({"records.jsonl", bundled.records}));
  const Renamed renamed(unpacked);
  try {
    return judged(unpacked_evidence(bundled, store, unpacked, foretell), renamed);
  } catch (const core::Error& error) {
    throw core::Error(error.kind(), renamed(error.what()), error.code(), error.where());
  }
}

}  // namespace assay::results
