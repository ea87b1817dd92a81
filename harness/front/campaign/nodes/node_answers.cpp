// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/node_answers.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "harness/core/files/sha256.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/front/campaign/nodes/nodes.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t launcher_lines_kept = 200;
constexpr std::int64_t largest_file = std::int64_t{1} << 30;

/// A node writes into its own folder and nowhere else.
bool stays_inside(const std::string& path) {
  const fs::path parts(path);
  return !path.empty() && parts.is_relative() &&
         std::ranges::none_of(parts, [](const fs::path& part) { return part == ".." || part == "."; });
}

}  // namespace

NodeAnswers::NodeAnswers(std::vector<std::string> nodes, fs::path folder, std::size_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {
  const auto now = std::chrono::steady_clock::now();
  for (std::string& node : nodes) states_[std::move(node)].heard = now;
}

void NodeAnswers::take(std::string_view line) {
  const auto answer = answer_from(line);
  if (!answer) {
    if (std::ranges::none_of(line, [](unsigned char letter) { return std::isalnum(letter) != 0; })) return;
    keep_launcher_line(std::string(line));
    return;
  }
  auto found = states_.find(answer->node);
  if (found == states_.end())
    found =
        std::ranges::find_if(states_, [&](const auto& one) { return is_same_host(one.first, answer->node); });
  if (found == states_.end()) {
    if (std::ranges::find(strangers_, answer->node) == strangers_.end()) strangers_.push_back(answer->node);
    return;
  }
  NodeState& state = found->second;
  if (state.voice.empty()) state.voice = answer->voice;
  if (state.voice != answer->voice) {
    state.contested = true;
    return;
  }
  state.heard = std::chrono::steady_clock::now();
  if (answer->hello) {
    state.hello = answer->hello;
    const auto here = std::chrono::system_clock::now().time_since_epoch();
    state.clock_ahead_s =
        std::chrono::duration<double>(std::chrono::nanoseconds(answer->hello->time_ns) - here).count();
  }
  if (answer->heartbeat) state.heartbeat = *answer->heartbeat;
  if (answer->outcome) state.outcome = answer->outcome;
  if (answer->file || answer->piece) take_file(found->first, *answer);
  if (answer->end) state.end = answer->end;
}

void NodeAnswers::take_file(const std::string& node, const Answer& answer) {
  auto& files = arriving_[node];
  if (answer.file) {
    if (!stays_inside(answer.file->path) || answer.file->size < 0 || answer.file->size > largest_file) return;
    if (files.size() >= most_files_of_node) return;
    drop_file(node, answer.file->path);
    files[answer.file->path] = {*answer.file, {}};
    if (answer.file->size == 0) settle_file(node, files[answer.file->path]);
  }
  if (!answer.piece) return;
  const auto file = files.find(answer.piece->path);
  if (file == files.end() || answer.piece->at != static_cast<std::int64_t>(file->second.bytes.size())) return;
  if (bytes_arriving_ + answer.piece->bytes.size() > most_bytes_) return;
  bytes_arriving_ += answer.piece->bytes.size();
  file->second.bytes += answer.piece->bytes;
  if (static_cast<std::int64_t>(file->second.bytes.size()) >= file->second.head.size)
    settle_file(node, file->second);
}

/// A file that arrived whole leaves the list of those that did not.
void NodeAnswers::settle_file(const std::string& node, const Arriving& file) {
  if (core::sha256(file.bytes) != file.head.digest) return;
  const fs::path path = folder_ / node / file.head.path;
  fs::create_directories(path.parent_path());
  core::write_whole_file(path.string(), file.bytes);
  drop_file(node, std::string(file.head.path));  // and with it `file`
}

void NodeAnswers::drop_file(const std::string& node, const std::string& path) {
  auto& files = arriving_[node];
  const auto file = files.find(path);
  if (file == files.end()) return;
  bytes_arriving_ -= file->second.bytes.size();
  files.erase(file);
}

std::size_t NodeAnswers::ended() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(states_, [](const auto& one) { return one.second.ended(); }));
}

std::vector<std::string> NodeAnswers::incomplete() const {
  std::vector<std::string> nodes;
  for (const auto& [node, state] : states_) {
    if (!state.ended() || state.was_interrupted() || !lost_file(node).empty()) nodes.push_back(node);
  }
  return nodes;
}

std::string NodeAnswers::lost_file(const std::string& node) const {
  const auto files = arriving_.find(node);
  return files == arriving_.end() || files->second.empty() ? "" : files->second.begin()->first;
}

void NodeAnswers::take_over(NodeAnswers later) {
  for (auto& [node, state] : later.states_) {
    states_[node] = std::move(state);
    arriving_[node] = std::move(later.arriving_[node]);
  }
  std::ranges::move(later.strangers_, std::back_inserter(strangers_));
  // A launcher that is ended early may not repeat why a node did not answer.
  for (std::string& line : later.launcher_lines_) keep_launcher_line(std::move(line));
}

void NodeAnswers::keep_launcher_line(std::string line) {
  if (launcher_lines_.size() == launcher_lines_kept) launcher_lines_.erase(launcher_lines_.begin());
  launcher_lines_.push_back(std::move(line));
}

std::string NodeAnswers::launcher_line(const std::string& node) const {
  for (auto line = launcher_lines_.rbegin(); line != launcher_lines_.rend(); ++line)
    if (line->find(node) != std::string::npos) return *line;
  return launcher_lines_.empty() ? "" : launcher_lines_.back();
}

}  // namespace assay::campaign
