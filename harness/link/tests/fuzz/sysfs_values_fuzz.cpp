// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Values of /proc and /sys: the first two bytes choose a file of a healthy node, the rest, cut at zero bytes,
// is what it and the files after it hold.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "harness/core/tests/fuzz/fuzz_input.hpp"
#include "harness/link/read_counters.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/tests/fake_hcas.hpp"

namespace {

using namespace assay;

class Node {
 public:
  Node() {
    machine::build_two_sockets(tree_);
    machine::build_gpus_and_hcas(tree_);
    machine::write_port(tree_,
                        {.device = "mlx5_9", .ethernet = true, .netdev = "eth9", .address = "0000:99:00.0"});
    machine::write_port_counters(tree_, "mlx5_9", {{"port_rcv_data", 1}, {"symbol_error", 0}});
    machine::write_statistics(tree_, "eth9", {{"rx_bytes", 7}, {"carrier_changes", 1}});
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tree_.root()))
      if (entry.is_regular_file() && !entry.is_symlink()) files_.push_back(entry.path());
    std::ranges::sort(files_);
  }

  std::string root() const { return tree_.root(); }

  /// Writes the pieces of `text` into the files from the chosen one on, and back what was there when it ends.
  void with(std::size_t first, std::string_view text, void (*look)(const std::string& root)) {
    std::vector<std::pair<std::filesystem::path, std::string>> before;
    for (std::size_t at = first; !text.empty() && before.size() < files_.size(); ++at) {
      const std::filesystem::path& file = files_[at % files_.size()];
      before.emplace_back(file, content_of(file));
      const std::size_t end = std::min(text.find('\0'), text.size());
      std::ofstream(file) << text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    look(root());
    for (const auto& [file, content] : before) std::ofstream(file) << content;
  }

 private:
  static std::string content_of(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  machine::FakeNode tree_;
  std::vector<std::filesystem::path> files_;
};

void look_at(const std::string& root) {
  const machine::Machine seen = machine::look(root, machine::Nvml("/nonexistent/libnvidia-ml.so.1"));
  link::CounterReader(seen.hcas, root, {}, [](std::chrono::milliseconds) {}).read();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Node node;
  if (size < 2) return 0;
  node.with(data[0] * std::size_t{256} + data[1], fuzz::text_of(data + 2, size - 2), look_at);
  return 0;
}
