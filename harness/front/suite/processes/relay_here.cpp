// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The end of a relay where a run is supervised.
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/processes/passed_signals.hpp"
#include "harness/front/suite/processes/relay.hpp"
#include "harness/front/suite/text_in.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

/// A file of this host that is there as long as the relay.
class PassingFile {
 public:
  PassingFile(fs::path file, const std::string& text) : file_(std::move(file)) {
    core::write_whole_file(file_.string(), text);
  }
  ~PassingFile() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  PassingFile(const PassingFile&) = delete;
  PassingFile& operator=(const PassingFile&) = delete;
  const fs::path& file() const { return file_; }

 private:
  fs::path file_;
};

/// Writes to this host's files what is marked, and passes everything else on.
class Receiver {
 public:
  explicit Receiver(SharedFiles files) : files_(std::move(files)) {}

  void take(std::string_view bytes) {
    rest_ += bytes;
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
      take_line(std::string_view(rest_).substr(begin, end - begin));
      begin = end + 1;
    }
    rest_.erase(0, begin);
    std::cout.flush();
  }

  void end() {
    std::cout << rest_ << std::flush;
    if (journal_.lost_any())
      std::cerr << "assay: a record of rank 0 did not arrive whole: its point is measured again\n";
  }

 private:
  void take_line(std::string_view line) {
    std::string before;
    const auto piece = relay_piece_in(line, before);
    if (!piece) {
      std::cout << line << "\n";
      return;
    }
    std::cout << before;
    if (piece->file == 'j')
      append(files_.journal, journal_.take(*piece));
    else
      append(files_.announcements, announcements_.take(*piece));
  }

  static void append(const fs::path& file, const std::string& lines) {
    if (lines.empty() || file.empty()) return;
    std::ofstream stream(file, std::ios::binary | std::ios::app);
    if (!(stream << lines).flush())
      throw core::Error(core::ErrorKind::system, fmt::format("{}: cannot be written", file.string()), errno);
  }

  SharedFiles files_;
  RelayedLines journal_, announcements_;
  std::string rest_;
};

}  // namespace

int relay_here(const std::vector<std::string>& words) {
  const std::atomic<int>& signals = pass_on_signals();
  const SharedFiles files = shared_files_in(words);
  const PassingFile mark(files.mark(), "");
  const PassingFile input(files.journal.parent_path() / fmt::format("relayed.input{}", getpid()),
                          to_input({{files.journal.string(), text_in(files.journal)}}));
  const int opened = open(input.file().c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0)
    throw core::Error(core::ErrorKind::system, input.file().string() + ": cannot be read", errno);
  Pipe pipe;
  Child launcher(
      words, {.stdin_descriptor = opened, .stdout_descriptor = pipe.write_end(), .reach = Reach::process});
  close(opened);
  pipe.close_write_end();
  Receiver receiver(files);
  std::array<char, 1 << 16> buffer;
  for (int passed = 0;;) {
    pollfd waiting{pipe.read_end(), POLLIN, 0};
    const bool any = poll(&waiting, 1, 50) > 0;
    const ssize_t got = any ? read(pipe.read_end(), buffer.data(), buffer.size()) : -1;
    if (got > 0) receiver.take({buffer.data(), static_cast<std::size_t>(got)});
    if (got == 0 || (!any && launcher.ended())) break;
    if (const int now = signals; now != passed) launcher.send(passed = now);
  }
  receiver.end();
  Ending ending = launcher.wait();
  return ending.signal == 0 ? ending.exit_code : 128 + ending.signal;
}

}  // namespace assay::suite
