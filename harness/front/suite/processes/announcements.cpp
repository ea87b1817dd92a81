// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/announcements.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>

#include "harness/core/error.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::suite {
namespace {

class PipeAnnouncements final : public Announcements {
 public:
  std::string flag() const override { return fmt::format("--heartbeat-fd={}", pipe_.write_end()); }
  int descriptor() const override { return pipe_.write_end(); }
  void started() override { pipe_.close_write_end(); }

 protected:
  std::string more() override {
    if (closed_) {
      poll(nullptr, 0, 20);
      return {};
    }
    pollfd waiting{pipe_.read_end(), POLLIN, 0};
    if (poll(&waiting, 1, 100) <= 0) return {};
    std::array<char, 4096> buffer{};
    const ssize_t got = read(pipe_.read_end(), buffer.data(), buffer.size());
    if (got == 0) closed_ = true;
    return got <= 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(got));
  }

 private:
  Pipe pipe_;
  bool closed_ = false;
};

class FileAnnouncements final : public Announcements {
 public:
  explicit FileAnnouncements(const std::filesystem::path& file) : file_(std::filesystem::absolute(file)) {
    if (!std::ofstream(file_))
      throw core::Error(core::ErrorKind::system, fmt::format("{}: cannot be written", file_.string()));
  }
  ~FileAnnouncements() override {
    std::error_code error;
    std::filesystem::remove(file_, error);
  }
  std::string flag() const override { return "--heartbeat-file=" + file_.string(); }

 protected:
  std::string more() override {
    poll(nullptr, 0, 100);
    // Opened again each time: only then NFS asks the server.
    std::ifstream file(file_, std::ios::binary);
    file.seekg(read_);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    read_ += static_cast<std::streamoff>(text.size());
    return text;
  }

 private:
  std::filesystem::path file_;
  std::streamoff read_ = 0;
};

}  // namespace

Heartbeat parse_heartbeat(const std::string& line) {
  Heartbeat beat;
  const char* const end = line.data() + line.size();
  const auto budget = std::from_chars(line.data(), end, beat.budget_s);
  const char* const gap = budget.ptr;
  const bool counted = budget.ec == std::errc() && gap != end && *gap == ' ';
  const auto repetition = std::from_chars(counted ? gap + 1 : end, end, beat.repetition);
  const auto first = static_cast<std::size_t>(repetition.ptr - line.data());
  const std::size_t second = line.find(' ', first + 1);
  if (repetition.ec != std::errc() || first >= line.size() || line[first] != ' ' ||
      second == std::string::npos)
    throw core::Error(core::ErrorKind::system,
                      fmt::format("a module announced '{}' (expected: budget repetition case point)", line));
  beat.case_name = line.substr(first + 1, second - first - 1);
  beat.key = line.substr(second + 1);
  return beat;
}

double silence_limit_s(const Heartbeat& beat, double slack_s) { return slack_s + 5 * beat.budget_s; }

bool Announcements::wait() {
  text_ += more();
  heard_.clear();
  for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
    heard_.push_back(parse_heartbeat(text_.substr(0, end)));
    text_.erase(0, end + 1);
  }
  return !heard_.empty();
}

std::unique_ptr<Announcements> announcements_over_pipe() { return std::make_unique<PipeAnnouncements>(); }

std::unique_ptr<Announcements> announcements_in_file(const std::filesystem::path& file) {
  return std::make_unique<FileAnnouncements>(file);
}

}  // namespace assay::suite
