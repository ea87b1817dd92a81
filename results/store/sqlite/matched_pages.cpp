// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/sqlite/matched_pages.hpp"

#include <sys/stat.h>

#include <map>
#include <utility>

namespace assay::results {

std::shared_ptr<MatchedPages> MatchedPages::of_file(const char* path) {
  static std::mutex mutex;
  static std::map<std::pair<dev_t, ino_t>, std::weak_ptr<MatchedPages>> files;
  struct stat file{};
  if (path == nullptr || ::stat(path, &file) != 0) return std::make_shared<MatchedPages>();
  const std::lock_guard lock(mutex);
  std::weak_ptr<MatchedPages>& known = files[{file.st_dev, file.st_ino}];
  std::shared_ptr<MatchedPages> pages = known.lock();
  if (pages == nullptr) known = pages = std::make_shared<MatchedPages>();
  return pages;
}

void MatchedPages::add(std::int64_t page) {
  const auto at = static_cast<std::size_t>(page);
  const std::lock_guard lock(mutex_);
  if (at >= pages_.size()) pages_.resize(2 * at + 1);
  pages_[at] = true;
}

void MatchedPages::remove(std::int64_t page) {
  const auto at = static_cast<std::size_t>(page);
  const std::lock_guard lock(mutex_);
  if (at < pages_.size()) pages_[at] = false;
}

bool MatchedPages::has(std::int64_t page) const {
  const auto at = static_cast<std::size_t>(page);
  const std::lock_guard lock(mutex_);
  return at < pages_.size() && pages_[at];
}

}  // namespace assay::results
