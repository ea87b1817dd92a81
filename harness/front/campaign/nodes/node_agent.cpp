// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/node_agent.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <random>

#include "harness/core/error.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/version.hpp"
#include "harness/front/campaign/nodes/nodes.hpp"
#include "harness/front/suite/bad_points.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/text_in.hpp"
#include "harness/machine/inventory/facts.hpp"
#include "harness/machine/machine.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

constexpr double heartbeat_s = 2;
constexpr double command_ends_s = 30;  // what a command may take to end once it was interrupted

std::string with_places(std::string word, const std::string& node, const std::string& folder) {
  for (const auto& [name, value] :
       {std::pair{std::string("{node}"), node}, {std::string("{folder}"), folder}})
    for (std::size_t at = word.find(name); at != std::string::npos; at = word.find(name, at + value.size()))
      word.replace(at, name.size(), value);
  return word;
}

/// A journal, a timeline, a verdict or an outcome of this stage: what the coordinator needs of a node's
/// folder.
bool is_evidence(const std::string& path, const std::string& stage) {
  if (path == "health.json") return true;
  if (path.find(stage) == std::string::npos) return false;
  return path.ends_with(".jsonl") || path.ends_with(".check.json") || path.ends_with(".burn-in.json") ||
         path.ends_with(".outcome.json");
}

/// Reads only what was appended since the last look.
class PointCount {
 public:
  explicit PointCount(fs::path folder) : folder_(std::move(folder)) {}

  std::int64_t look() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder_, ignored))
      if (entry.path().extension() == ".jsonl" && entry.path().filename() != "timeline.jsonl")
        read_on(entry.path());
    return points_;
  }

 private:
  void read_on(const fs::path& journal) {
    std::ifstream stream(journal, std::ios::binary);
    std::streamoff& done = read_[journal.string()];
    stream.seekg(done);
    for (std::string line; std::getline(stream, line) && !stream.eof();) {
      done += static_cast<std::streamoff>(line.size()) + 1;
      if (line.find("\"record\":\"point\"") != std::string::npos) ++points_;
    }
  }

  fs::path folder_;
  std::map<std::string, std::streamoff> read_;
  std::int64_t points_ = 0;
};

class NodeAgent {
 public:
  NodeAgent(const Order& order, std::string program, const std::atomic<int>& signals, std::ostream& out)
      : order_(order),
        program_(std::move(program)),
        signals_(signals),
        out_(out),
        node_(name_of_this_node()),
        folder_(fs::path(order.nodes_folder) / node_) {}

  int run() {
    outcome_.hello = hello_of_this_node();
    say({.node = node_, .hello = outcome_.hello});
    End end;
    try {
      end.interrupted = !carry_out_once();
    } catch (const std::exception& error) {
      end.why = error.what();
    }
    say({.node = node_, .outcome = outcome_});
    end.shared = coordinator_sees_this();
    if (!end.shared) send_files();
    say({.node = node_, .end = end});
    // All is said. mpirun would end the other nodes' agents after another exit code.
    return core::exit_code::pass;
  }

 private:
  void say(Answer answer) {
    answer.voice = voice_;
    out_ << to_line(answer);
    out_.flush();
  }

  /// False where it was interrupted.
  bool carry_out_once() {
    if (order_.steps.empty()) return true;
    const fs::path kept = folder_ / outcome_file(order_.stage);
    if (const auto before = outcome_from(suite::text_in(kept))) {
      outcome_.steps = before->steps;
      return true;
    }
    std::error_code why;
    fs::create_directories(folder_, why);
    if (why)
      throw core::Error(core::ErrorKind::system, fmt::format("{}: {}", folder_.string(), why.message()));
    for (const auto& [name, text] : order_.files) core::write_whole_file((folder_ / name).string(), text);
    for (const Step& step : order_.steps) {
      outcome_.steps.push_back(run_step(step));
      if (signals_ > 0) return false;
    }
    core::write_whole_file(kept.string(), to_json(outcome_));
    return true;
  }

  std::vector<std::string> command_of(const Step& step) const {
    const bool begun = !step.begun.empty() && fs::exists(with_places(step.begun, node_, folder_.string()));
    std::vector<std::string> command{program_};
    for (const std::string& word : begun && !step.resumed.empty() ? step.resumed : step.words)
      command.push_back(with_places(word, node_, folder_.string()));
    return command;
  }

  StepEnd run_step(const Step& step) {
    const fs::path log = folder_ / fmt::format("{}.{}.log", order_.stage, step.name);
    const int descriptor = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0)
      throw core::Error(core::ErrorKind::system, fmt::format("{}: {}", log.string(), std::strerror(errno)));
    suite::Child child(command_of(step), {.stdout_descriptor = descriptor, .stderr_descriptor = descriptor});
    close(descriptor);
    watch(child, step);
    const suite::Ending ending = child.wait();
    StepEnd end{.step = step.name, .exit_code = ending.signal == 0 ? ending.exit_code : 128 + ending.signal};
    if (end.exit_code != 0) end.last_line = ending.left_behind.empty() ? why(step, log) : ending.left_behind;
    return end;
  }

  /// After a run its journal says more than its log does.
  std::string why(const Step& step, const fs::path& log) const {
    const fs::path begun = with_places(step.begun, node_, folder_.string());
    const std::string bad = step.name == "run" ? suite::bad_points_in(begun) : "";
    return bad.empty() ? suite::last_line_in(log) : bad;
  }

  /// Until it ends: says that this node lives, and passes an interrupt on.
  void watch(suite::Child& child, const Step& step) {
    PointCount points(fs::path(with_places(step.begun, node_, folder_.string())).parent_path());
    auto said = Steady::now();
    std::optional<Steady::time_point> interrupted;
    while (!child.ended()) {
      poll(nullptr, 0, 50);
      if (signals_ > 0 && !interrupted) {
        child.send(SIGINT);
        interrupted = Steady::now();
      }
      if (interrupted && core::seconds_since(*interrupted) > command_ends_s) return child.kill_after(0);
      if (core::seconds_since(said) < heartbeat_s) continue;
      said = Steady::now();
      say({.node = node_, .heartbeat = Heartbeat{step.name, step.begun.empty() ? 0 : points.look()}});
    }
  }

  bool coordinator_sees_this() const {
    const fs::path nonce = fs::path(order_.nodes_folder).parent_path() / "nonce";
    return !order_.nonce.empty() && suite::text_in(nonce) == order_.nonce;
  }

  void send_files() {
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder_, ignored)) {
      const std::string path = entry.path().lexically_relative(folder_).string();
      if (entry.is_regular_file() && is_evidence(path, order_.stage)) send(path);
    }
  }

  void send(const std::string& path) {
    const std::string text = suite::text_in(folder_ / path);
    say({.node = node_, .file = FileHead{path, static_cast<std::int64_t>(text.size()), core::sha256(text)}});
    for (std::size_t at = 0; at < text.size(); at += piece_bytes)
      say({.node = node_,
           .piece = FilePiece{path, static_cast<std::int64_t>(at), text.substr(at, piece_bytes)}});
  }

  const Order& order_;
  std::string program_;
  const std::atomic<int>& signals_;
  std::ostream& out_;
  std::string node_;
  fs::path folder_;
  Outcome outcome_;
  std::string voice_ = fmt::format("{:08x}{:08x}", std::random_device()(), std::random_device()());
};

}  // namespace

std::string outcome_file(const std::string& stage_run) { return stage_run + ".outcome.json"; }

Hello hello_of_this_node() {
  const machine::Machine machine = machine::look();
  Hello hello{.host = machine.host, .version = core::version(), .revision = core::source_revision()};
  hello.time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                      std::chrono::system_clock::now().time_since_epoch())
                      .count();
  hello.gpus = static_cast<std::int64_t>(machine.gpus.size());
  hello.rails = std::ranges::count(machine.hcas, "ACTIVE", &machine::Hca::state);
  hello.components["kernel"] = machine.kernel;
  for (const machine::Version& one : machine.versions) hello.components[one.component] = one.version;
  for (const auto& [kind, value] : machine::summary_of(machine::facts_of(machine)))
    hello.components[kind] = value;
  return hello;
}

int carry_out(const Order& order, const std::string& program, const std::atomic<int>& signals,
              std::ostream& out) {
  return NodeAgent(order, program, signals, out).run();
}

}  // namespace assay::campaign
