// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/fresh_folder.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "harness/front/suite/kept_plan.hpp"

namespace assay::suite {

namespace fs = std::filesystem;

namespace {

/// Journals, those of ranks (journal.jsonl.rank3), a timeline. What cannot be read may hold some.
bool holds_records(const fs::path& folder) {
  std::error_code unreadable;
  fs::directory_iterator file(folder, unreadable);
  for (; !unreadable && file != fs::directory_iterator(); file.increment(unreadable))
    if (file->path().filename().string().find(".jsonl") != std::string::npos) return true;
  return unreadable && unreadable != std::errc::no_such_file_or_directory;
}

}  // namespace

FreshFolder::FreshFolder(fs::path run_folder) : folder_(std::move(run_folder)) {
  std::error_code unusable_name;  // whoever makes the folder says so
  for (fs::path folder = folder_; !folder.empty() && !fs::exists(folder, unusable_name);
       folder = folder.parent_path())
    first_made_ = folder;
}

void FreshFolder::remove_order() const {
  if (first_made_.empty() || holds_records(folder_)) return;
  std::error_code ignored;  // what cannot be removed stays
  for (const char* name : {plan_file_name, flags_file_name, modules_file_name})
    fs::remove(folder_ / name, ignored);
}

void FreshFolder::remove_where_empty() const {
  if (first_made_.empty()) return;
  std::error_code ignored;  // as of a folder that is not empty
  for (fs::path folder = folder_; fs::remove(folder, ignored) && folder != first_made_;)
    folder = folder.parent_path();
}

}  // namespace assay::suite
