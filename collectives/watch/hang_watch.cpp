// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/watch/hang_watch.hpp"

#include <utility>

#include "collectives/watch/ask_posts.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

std::vector<RankReport> reports_of(const std::vector<PostPlace>& places, double limit_s) {
  std::vector<RankReport> reports;
  for (const PostAnswer& answer : ask_posts(places, "look", limit_s)) {
    RankReport report;
    report.silent = answer.silent;
    try {
      if (answer.silent.empty()) report = rank_report_from(answer.text);
    } catch (const core::Error& error) {
      report.silent = error.what();
    }
    report.rank = static_cast<int>(reports.size());
    report.host = places[reports.size()].host;
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace

HangWatch::HangWatch(Options options) : options_(std::move(options)) {
  thread_ = std::thread([this] { serve(); });
}

HangWatch::~HangWatch() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void HangWatch::set_places(std::vector<PostPlace> places) {
  const std::lock_guard lock(mutex_);
  places_ = std::move(places);
}

void HangWatch::begins(double limit_s) {
  {
    const std::lock_guard lock(mutex_);
    diagnosis_.reset();
    leaving_ = false;
    deadline_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_s));
  }
  changed_.notify_all();
}

void HangWatch::ends() {
  const std::lock_guard lock(mutex_);
  deadline_.reset();
}

std::optional<Diagnosis> HangWatch::diagnosis() const {
  const std::lock_guard lock(mutex_);
  return diagnosis_;
}

Diagnosis HangWatch::look() const {
  std::vector<PostPlace> places;
  {
    const std::lock_guard lock(mutex_);
    places = places_;
  }
  return diagnosis_of(reports_of(places, options_.ask_limit_s));
}

void HangWatch::serve() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (!deadline_) {
      changed_.wait(lock);
      continue;
    }
    const auto deadline = *deadline_;
    changed_.wait_until(lock, deadline);
    if (!deadline_ || *deadline_ != deadline || Clock::now() < deadline) continue;
    if (!leaving_) {
      diagnose(lock);
    } else {
      deadline_.reset();
      const std::string text = diagnosis_->text;
      lock.unlock();
      if (options_.stuck) options_.stuck(text);
      lock.lock();
    }
  }
}

void HangWatch::diagnose(std::unique_lock<std::mutex>& lock) {
  const std::vector<PostPlace> places = places_;
  const auto watched = deadline_;
  lock.unlock();
  Diagnosis found = diagnosis_of(reports_of(places, options_.ask_limit_s));
  lock.lock();
  if (deadline_ != watched) return;  // it has ended meanwhile: it was only slow
  diagnosis_ = std::move(found);
  leaving_ = true;
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                 std::chrono::duration<double>(options_.leave_limit_s));
  lock.unlock();
  ask_posts(places, "give_up", options_.ask_limit_s);
  lock.lock();
}

}  // namespace assay::collectives
