// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "harness/core/files/descriptor.hpp"
#include "results/record/journal_blocks.hpp"
#include "results/store/doubts/import_doubts.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/sqlite/page_checksums.hpp"
#include "results/store/sqlite/store_schema.hpp"
#include "results/store/store_insert.hpp"

namespace assay::results {
namespace {

std::string message(const std::filesystem::path& path, const std::string& what) {
  return "store " + path.string() + ": " + what;
}

[[noreturn]] void fail_store(const std::filesystem::path& path, const std::string& what) {
  throw std::runtime_error(message(path, what));
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw NoStore(message(path, what));
}

constexpr const char* expected = " (expected a file that assay run or assay import wrote)";

void make_tables(Database& database) {
  database.execute("PRAGMA page_size = " + std::to_string(store_page_bytes));
  int reserved = page_checksum_bytes;
  sqlite3_file_control(database.connection(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  Transaction transaction(database);
  // Another process may have made them while this one waited for the lock.
  if (database.single_integer("PRAGMA application_id") == store_application_id) return;
  database.execute(store_schema);
  database.execute("PRAGMA application_id = " + std::to_string(store_application_id));
  database.execute("PRAGMA user_version = " + std::to_string(store_schema_version));
  database.execute("INSERT INTO meta VALUES ('schema_version', '" + std::to_string(store_schema_version) +
                   "')");
  transaction.commit();
}

void require_store(Database& database, const std::filesystem::path& path, StoreMode mode) {
  const std::int64_t application = database.single_integer("PRAGMA application_id");
  const bool is_empty =
      application == 0 && database.single_integer("SELECT count(*) FROM sqlite_master") == 0;
  if (is_empty && mode == StoreMode::existing) refuse(path, std::string("is empty") + expected);
  if (is_empty) return make_tables(database);
  if (application != store_application_id)
    refuse(path, std::string("an SQLite file, but not a store of assay") + expected);
  const std::int64_t version = database.single_integer("PRAGMA user_version");
  if (version > store_schema_version)
    refuse(path, "schema " + std::to_string(version) + " is newer than this program reads (" +
                     std::to_string(store_schema_version) + ")");
  if (version < store_schema_version)
    refuse(path, "schema " + std::to_string(version) + " is older than this program reads (" +
                     std::to_string(store_schema_version) + "): import its journals into a new store");
}

/// The header may be what was damaged.
void require_checksums(const Database& database, const std::filesystem::path& path) {
  int reserved = -1;
  sqlite3_file_control(database.connection(), "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  if (path.empty() || reserved == page_checksum_bytes) return;
  throw DamagedStore(
      message(path,
              "its header says that its pages have no checksums: import the journals into a new "
              "store"));
}

/// Nothing of a store that is empty can be lost by a power failure: the disk is waited for once, at the end.
/// A kill does no harm either way.
class PatientDisk {
 public:
  PatientDisk(Database& database, const std::filesystem::path& path)
      : database_(database),
        file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)),
        waits_(database.single_integer("SELECT count(*) FROM runs") > 0) {
    if (!waits_) database_.execute("PRAGMA synchronous = OFF");
  }
  ~PatientDisk() {
    if (!waits_) wait();
  }
  PatientDisk(const PatientDisk&) = delete;
  PatientDisk& operator=(const PatientDisk&) = delete;

  /// That many bytes more follow: the disk writes while more are made, for a shorter wait at the end.
  void expect(std::size_t bytes) {
    constexpr std::size_t at_once = std::size_t{64} << 20;
    expected_ += bytes;
    if (expected_ < at_once) return;
    ::sync_file_range(file_.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
    expected_ = 0;
  }

 private:
  void wait() {
    try {
      database_.execute("PRAGMA synchronous = FULL");
    } catch (const std::runtime_error&) {
      // The next transaction waits for the disk less than it could.
    }
    ::fsync(file_.get());
  }

  Database& database_;
  core::Descriptor file_;
  bool waits_;
  std::size_t expected_ = 0;
};

class Importer {
 public:
  Importer(Database& database, std::span<const std::filesystem::path> paths)
      : inserter_(database), doubts_(database, paths), paths_(paths), summaries_(paths.size()) {}

  void take(const JournalBlock& block) {
    const std::filesystem::path& path = paths_[block.journal];
    ImportSummary& summary = summaries_[block.journal];
    doubts_.see(block);
    for (const JournalLine& line : block.lines) {
      try {
        ++(insert(line) ? summary.added : summary.already_there);
      } catch (const std::runtime_error& error) {
        throw std::runtime_error(path.string() + ":" + std::to_string(line.number) + ": " + error.what());
      }
    }
    inserter_.flush();
    summary.problems.insert(summary.problems.end(), block.problems.begin(), block.problems.end());
    summary.doubts.insert(summary.doubts.end(), block.doubts.begin(), block.doubts.end());
    summary.secrets.insert(summary.secrets.end(), block.secrets.begin(), block.secrets.end());
  }

  /// Files without a record: never written, or on a full disk. Their content is lost.
  void report_empty_journals() {
    for (std::size_t journal = 0; journal < paths_.size(); ++journal) {
      ImportSummary& summary = summaries_[journal];
      if (summary.added + summary.already_there > 0 || !summary.problems.empty()) continue;
      JournalBlock block;
      block.journal = journal;
      block.problems.push_back({paths_[journal], 1, "the journal holds no record"});
      doubts_.see(block);
      summary.problems = block.problems;
    }
  }

  std::vector<ImportSummary> finish() {
    inserter_.finish();
    doubts_.finish();
    return std::move(summaries_);
  }

 private:
  bool insert(const JournalLine& line) {
    const auto* point = std::get_if<PointRow>(&line.record);
    return point ? inserter_.insert(*point) : inserter_.insert(*std::get<1>(line.record));
  }

  Inserter inserter_;
  ImportDoubts doubts_;
  std::span<const std::filesystem::path> paths_;
  std::vector<ImportSummary> summaries_;
};

}  // namespace

Store::Store(const std::filesystem::path& path, StoreMode mode, std::chrono::milliseconds patience)
    : path_(path) {
  if (mode == StoreMode::existing && !std::filesystem::exists(path))
    refuse(path, std::string("no such file") + expected);
  if (std::filesystem::is_directory(path)) refuse(path, std::string("is a folder") + expected);
  try {
    database_ = std::make_unique<Database>(path, mode == StoreMode::create, patience);
    database_->single_integer(
        "SELECT count(*) FROM sqlite_master");  // reads the header: fails on any other file
  } catch (const DatabaseBusy& error) {
    throw DatabaseBusy(message(path, error.what()));
  } catch (const DamagedStore&) {
    throw;
  } catch (const std::runtime_error& error) {
    refuse(path, std::string("not a store, or not readable: ") + error.what() + expected);
  }
  require_store(*database_, path, mode);
  require_checksums(*database_, path);
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

std::vector<ImportSummary> Store::import(std::span<const std::filesystem::path> paths,
                                         core::ByteSource lines) {
  try {
    PatientDisk disk(*database_, path_);
    Transaction transaction(*database_);
    Importer importer(*database_, paths);
    const bool are_files = lines == nullptr;  // the lines of a bundle may well be none
    JournalBlocks blocks(paths, std::move(lines));
    while (const auto block = blocks.next()) {
      importer.take(*block);
      disk.expect(block->text.size());
    }
    if (are_files) importer.report_empty_journals();
    auto summaries = importer.finish();
    transaction.commit();
    return summaries;
  } catch (const std::system_error&) {
    throw;  // the journal's own error says which file
  } catch (const DamagedStore&) {
    throw;
  } catch (const std::runtime_error& error) {
    fail_store(path_, std::string("importing: ") + error.what());
  }
}

std::vector<ImportSummary> Store::import_journals(std::span<const std::filesystem::path> paths) {
  return import(paths);
}

ImportSummary Store::import_journal(const std::filesystem::path& path) { return import({&path, 1}).front(); }

ImportSummary Store::import_lines(const std::filesystem::path& name, core::ByteSource lines) {
  return import({&name, 1}, std::move(lines)).front();
}

void Store::verify() const {
  try {
    verify_pages(database_->connection());
  } catch (const DamagedStore& error) {
    if (std::string(error.what()).starts_with(path_.string())) throw;
    throw DamagedStore(message(path_, std::string(error.what()) + ": import the journals into a new store"));
  }
}

bool Store::add(const Record& record) { return insert({&record, 1}); }

void Store::add(std::span<const Record> records) { insert(records); }

bool Store::insert(std::span<const Record> records) {
  try {
    Transaction transaction(*database_);
    Inserter inserter(*database_);
    bool any_new = false;
    for (const Record& record : records) any_new |= inserter.insert(record);
    inserter.finish();
    transaction.commit();
    return any_new;
  } catch (const std::runtime_error& error) {
    fail_store(path_, std::string("adding a record: ") + error.what());
  }
}

}  // namespace assay::results
