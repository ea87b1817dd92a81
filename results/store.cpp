// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store.hpp"

#include <stdexcept>

#include "results/database.hpp"
#include "results/store_insert.hpp"
#include "results/store_schema.hpp"

namespace assay::results {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw std::runtime_error("store " + path.string() + ": " + what);
}

void make_tables(Database& database) {
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

void require_store(Database& database, const std::filesystem::path& path) {
  const std::int64_t application = database.single_integer("PRAGMA application_id");
  const bool is_empty =
      application == 0 && database.single_integer("SELECT count(*) FROM sqlite_master") == 0;
  if (is_empty) return make_tables(database);
  if (application != store_application_id) refuse(path, "an SQLite file, but not a store of assay");
  const std::int64_t version = database.single_integer("PRAGMA user_version");
  if (version > store_schema_version)
    refuse(path, "schema " + std::to_string(version) + " is newer than this program reads (" +
                     std::to_string(store_schema_version) + ")");
}

}  // namespace

Store::Store(const std::filesystem::path& path, StoreMode mode) : path_(path) {
  if (mode == StoreMode::existing && !std::filesystem::exists(path)) refuse(path, "no such file");
  try {
    database_ = std::make_unique<Database>(path, mode == StoreMode::create);
    database_->single_integer(
        "SELECT count(*) FROM sqlite_master");  // reads the header: fails on any other file
  } catch (const std::runtime_error& error) {
    refuse(path, std::string("not a store, or not readable: ") + error.what());
  }
  require_store(*database_, path);
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

ImportSummary Store::import_journal(const std::filesystem::path& path) {
  ImportSummary summary;
  try {
    Transaction transaction(*database_);
    Inserter inserter(*database_);
    summary.problems = for_each_record(path, [&](const Record& record) {
      ++(inserter.insert(record) ? summary.added : summary.already_there);
    });
    transaction.commit();
  } catch (const std::system_error&) {
    throw;  // the journal's own error says which file
  } catch (const std::runtime_error& error) {
    refuse(path_, std::string("importing ") + path.string() + ": " + error.what());
  }
  return summary;
}

bool Store::add(const Record& record) {
  try {
    Transaction transaction(*database_);
    const bool is_new = Inserter(*database_).insert(record);
    transaction.commit();
    return is_new;
  } catch (const std::runtime_error& error) {
    refuse(path_, std::string("adding a record: ") + error.what());
  }
}

}  // namespace assay::results
