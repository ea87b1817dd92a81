// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/ask_nodes.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <memory>

#include "harness/core/seconds_since.hpp"
#include "harness/front/campaign/engine.hpp"
#include "harness/front/campaign/nodes/launcher_folder.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::campaign {
namespace {

using Steady = std::chrono::steady_clock;

constexpr double launcher_grace_s = 10;
constexpr double interrupted_s = 60;  // what nodes may take to end once they were interrupted
constexpr std::size_t longest_line = 1 << 20;

/// A launcher's process and the line that it is printing.
class Speaker {
 public:
  Speaker(suite::Engine engine, const std::vector<std::string>& command)
      : folder_(engine),
        child_(folder_.around(command),
               {.stdout_descriptor = pipe_.write_end(), .stderr_descriptor = pipe_.write_end()}) {
    pipe_.close_write_end();
  }

  int descriptor() const { return open_ ? pipe_.read_end() : -1; }
  bool over() { return !open_ && child_.ended(); }
  suite::Child& child() { return child_; }

  void read_into(NodeAnswers& answers) {
    std::array<char, 1 << 16> buffer;
    const ssize_t got = read(pipe_.read_end(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
      open_ = false;
      if (!rest_.empty()) answers.take(rest_);
      return;
    }
    rest_.append(buffer.data(), static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
      answers.take(std::string_view(rest_).substr(begin, end - begin));
      begin = end + 1;
    }
    rest_.erase(0, begin);
    if (rest_.size() > longest_line) rest_.clear();  // not an answer
  }

 private:
  suite::Pipe pipe_;
  LauncherFolder folder_;
  suite::Child child_;
  bool open_ = true;
  std::string rest_;
};

class Hearing {
 public:
  Hearing(const Asking& asking, const std::vector<std::string>& nodes, const Order& order,
          const std::atomic<int>& signals)
      : asking_(asking), signals_(signals), answers_(nodes, asking.nodes_folder), nodes_(nodes.size()) {
    const std::vector<std::string> agent{asking.program, "campaign", "--on-node", to_word(order)};
    const std::size_t part = asking.nodes_a_launcher == 0 ? nodes.size() : asking.nodes_a_launcher;
    for (std::size_t begin = 0; begin < nodes.size(); begin += part) {
      const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto last = first + static_cast<std::ptrdiff_t>(std::min(part, nodes.size() - begin));
      for (const auto& command : on_each_node(asking.launcher, {first, last}, agent))
        speakers_.push_back(std::make_unique<Speaker>(asking.launcher.engine, command));
    }
  }

  NodeAnswers listen() {
    while (std::ranges::any_of(speakers_, [](const auto& one) { return !one->over(); })) {
      wait_for_words();
      if (asking_.progress) asking_.progress(answers_);
      pass_on_interrupts();
      if (nothing_to_wait_for()) {
        for (const auto& one : speakers_) one->child().kill_after(launcher_grace_s);
        break;
      }
    }
    for (const auto& one : speakers_)
      while (one->descriptor() >= 0 && is_readable(one->descriptor())) one->read_into(answers_);
    return std::move(answers_);
  }

 private:
  static bool is_readable(int descriptor) {
    pollfd waiting{descriptor, POLLIN, 0};
    return ::poll(&waiting, 1, 0) > 0;
  }

  void wait_for_words() {
    std::vector<pollfd> waiting;
    for (const auto& one : speakers_) waiting.push_back({one->descriptor(), POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), 100) <= 0) return;
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i].revents != 0) speakers_[i]->read_into(answers_);
  }

  void pass_on_interrupts() {
    if (signals_ == 0) return;
    if (!interrupted_) {
      interrupted_ = Steady::now();
      for (const auto& one : speakers_) one->child().send(SIGTERM);
    }
  }

  /// Every node has ended, or was silent for too long, or the interrupt is long past.
  bool nothing_to_wait_for() {
    if (interrupted_ && (signals_ > 1 || core::seconds_since(*interrupted_) > interrupted_s)) return true;
    if (answers_.ended() == nodes_) {
      if (!all_ended_) all_ended_ = Steady::now();
      return core::seconds_since(*all_ended_) > launcher_grace_s;
    }
    return std::ranges::all_of(answers_.states(), [&](const auto& one) {
      return one.second.ended() || core::seconds_since(one.second.heard) > asking_.silence_s;
    });
  }

  const Asking& asking_;
  const std::atomic<int>& signals_;
  NodeAnswers answers_;
  std::size_t nodes_;
  std::vector<std::unique_ptr<Speaker>> speakers_;
  std::optional<Steady::time_point> interrupted_, all_ended_;
};

}  // namespace

NodeAnswers ask_nodes(const Asking& asking, const std::vector<std::string>& nodes, const Order& order,
                      const std::atomic<int>& signals) {
  return Hearing(asking, nodes, order, signals).listen();
}

}  // namespace assay::campaign
