// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of gpu-burn. Its error counters return to 0 after each summary: any error anywhere counts.
#include <algorithm>
#include <map>

#include "harness/core/statistics/statistics.hpp"
#include "results/peers/condition_names.hpp"
#include "results/peers/text/calendar_text.hpp"
#include "results/peers/text/columns.hpp"
#include "results/peers/text/printed_number.hpp"
#include "results/peers/tools/opening_marks.hpp"

namespace assay::results::peers {
namespace {

int burn_mark(std::string_view text) {
  if (text.starts_with("Using compare file:")) return 1;
  return text.starts_with("Burning for ") ? 2 : 0;
}

bool is_burn_progress(std::string_view text) { return text.find("proc'd:") != std::string_view::npos; }

/// "GPU 0: NVIDIA H100 (UUID: GPU-...)" of the list that older versions begin with; nvidia-smi -L prints it
/// too.
bool is_list_of_a_burn(Lines lines, std::size_t at) {
  const auto is_gpu = [](std::string_view text) {
    return text.starts_with("GPU ") && text.find("(UUID: ") != std::string_view::npos;
  };
  if (!is_gpu(trimmed(lines[at].text))) return false;
  while (at < lines.size() && (is_gpu(trimmed(lines[at].text)) || trimmed(lines[at].text).empty())) ++at;
  return at < lines.size() && is_burn_progress(lines[at].text);
}

/// Older versions print none of the marks: their runs begin with the list or with progress, after the verdict
/// of the run before.
bool burn_opens(Lines lines, std::size_t at, std::size_t begin) {
  if (opens_by_marks(lines, at, begin, burn_mark)) return true;
  if (!is_burn_progress(lines[at].text) && !is_list_of_a_burn(lines, at)) return false;
  for (std::size_t back = at; back-- > begin;)
    if (trimmed(lines[back].text).starts_with("Tested ")) return true;
  return begin >= lines.size();
}

/// Parts between " - ".
std::vector<std::string_view> burn_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(" - ", at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + 3;
  }
  return parts;
}

struct BurntGpu {
  std::vector<double> rates_gflops;
  double errors = 0, errors_since_summary = 0;
  bool warned = false, died = false;
  std::string verdict;  // "OK", "FAULTY"; empty: none
};

class GpuBurn {
 public:
  GpuBurn(const Block& block, Findings& findings) : block_(block), findings_(findings) {}

  void read() {
    findings_.tool = "gpu-burn";
    for (const Line& line : block_.lines) {
      line_ = line.number;
      if (const std::string_view text = trimmed(line.text); !text.empty() && !read_line(text))
        ++findings_.unparsed_lines;
    }
    end_interval();
    if (!tested_) add_doubt(findings_.doubts, {DoubtKind::cut, "no line 'Tested N GPUs': no verdict"});
    for (std::size_t gpu = 0; gpu < gpus_.size(); ++gpu) add(gpu);
    if (gpus_.empty()) add_failure();
  }

 private:
  bool read_line(std::string_view text) {
    if (text.find("proc'd:") != std::string_view::npos) return read_progress(text);
    if (text.starts_with("Summary at:")) {
      if (started_.empty()) started_ = started_of_ctime(after(text, "Summary at:"));
      end_interval();
      return true;
    }
    if (text.starts_with("Tested ")) return tested_ = true;
    if (text.starts_with("GPU ")) return read_gpu(text);
    if (text.starts_with("Initialized device ")) return read_device(text);
    constexpr std::array<std::string_view, 9> known{
        "Using compare", "Burning for", "Results are", "Killing processes", "Freed memory",
        "Uninitted",     "done",        "Run length",  "Terminating"};
    return std::ranges::any_of(known, [&](std::string_view begin) { return text.starts_with(begin); });
  }

  /// "GPU 0: NVIDIA H100 (UUID: GPU-...)" of the list, "GPU 0: OK" of the verdict.
  bool read_gpu(std::string_view text) {
    const auto number = whole_number(after(text, "GPU ", ":"));
    if (!number || *number < 0) return false;
    if (const std::string_view serial = after(text, "(UUID: ", ")"); !serial.empty()) {
      serials_[*number] = std::string(serial);
      names_[*number] = std::string(after(text, ": ", " (UUID"));
      return true;
    }
    const std::string_view verdict = after(text, ": ");
    if (!tested_ || (verdict != "OK" && verdict != "FAULTY") || *number >= most_gpus) return false;
    if (gpus_.size() <= static_cast<std::size_t>(*number))
      gpus_.resize(static_cast<std::size_t>(*number) + 1);
    gpus_[static_cast<std::size_t>(*number)].verdict = std::string(verdict);
    return true;
  }

  bool read_device(std::string_view text) {
    const auto number = whole_number(after(text, "Initialized device ", " "));
    if (number && std::ranges::find(devices_, *number) == devices_.end()) devices_.push_back(*number);
    doubles_ = text.find("DOUBLES") != std::string_view::npos;
    tensor_cores_ = text.find("Tensor Cores") != std::string_view::npos;
    return true;
  }

  /// "10.3%  proc'd: 14050 (401877 Gflop/s) - 13769 (399102 Gflop/s)   errors: 0 - 0   temps: 61 C - 63 C"
  bool read_progress(std::string_view text) {
    const auto done = burn_parts(after(text, "proc'd:", "errors:")),
               errors = burn_parts(after(text, "errors:", "temps:"));
    if (done.empty() || done.size() != errors.size() || done.size() > most_gpus) return false;
    std::vector<double> rates, counts;
    for (std::size_t i = 0; i < done.size(); ++i) {
      const auto rate = printed_number(after(done[i], "(", " Gflop/s"));
      const auto count =
          printed_number(columns_of(errors[i], 1).empty() ? "" : columns_of(errors[i], 1).front());
      if (!rate || !count) return false;
      rates.push_back(rate->value);
      counts.push_back(count->value);
    }
    if (gpus_.size() < done.size()) gpus_.resize(done.size());
    for (std::size_t i = 0; i < done.size(); ++i) {
      BurntGpu& gpu = gpus_[i];
      gpu.died = gpu.died || errors[i].find("DIED") != std::string_view::npos || counts[i] < 0;
      gpu.warned = gpu.warned || errors[i].find("WARNING") != std::string_view::npos;
      gpu.errors_since_summary = std::max(gpu.errors_since_summary, counts[i]);
      if (rates[i] > 0 && !gpu.died) gpu.rates_gflops.push_back(rates[i]);
    }
    return true;
  }

  void end_interval() {
    for (BurntGpu& gpu : gpus_) {
      gpu.errors += gpu.errors_since_summary;
      gpu.errors_since_summary = 0;
    }
  }

  PeerPoint outline() const {
    PeerPoint point;
    point.case_name = "peers.gpu_burn.burn";
    point.metric = "tflops";
    point.unit = "TFLOP/s";
    point.line = line_;
    point.started = started_;
    return point;
  }

  void add(std::size_t at) {
    const BurntGpu& gpu = gpus_[at];
    PeerPoint point = outline();
    // The verdict and the rates count tested GPUs: -i 3 tests one.
    const std::int64_t number =
        devices_.size() == gpus_.size() ? devices_[at] : static_cast<std::int64_t>(at);
    point.axes = {{"gpu", number},
                  {"dtype", std::string(doubles_ ? "fp64" : "fp32")},
                  {"tensor_cores", std::int64_t{tensor_cores_}}};
    if (serials_.contains(number)) point.conditions.emplace_back("serial", serials_[number]);
    if (names_.contains(number)) point.conditions.emplace_back(condition::gpu_name, names_[number]);
    point.statistic = "median of the printed rates";
    point.n = static_cast<std::int64_t>(gpu.rates_gflops.size());
    if (point.n > 0 && !gpu.died) point.value = core::quantile_of(gpu.rates_gflops, 0.5) * 1e-3;
    if (gpu.errors > 0) point.metrics.push_back({"errors", "", gpu.errors});
    put_status(point, gpu);
    findings_.points.push_back(std::move(point));
  }

  void put_status(PeerPoint& point, const BurntGpu& gpu) {
    if (gpu.died) {
      point.status = Status::failed;
      point.reason = "DIED";
    } else if (gpu.errors > 0 || gpu.warned || gpu.verdict == "FAULTY") {
      point.status = Status::wrong;
      point.reason = gpu.verdict == "FAULTY" ? "FAULTY" : "errors";
      point.verification = Verification::Result::wrong;
      add_doubt(findings_.doubts, {DoubtKind::wrong_results});
    } else if (!point.value) {
      point.status = Status::failed;
      point.reason = "no rate was printed";
    } else if (gpu.verdict == "OK") {
      point.verification = Verification::Result::right;
    }
  }

  void add_failure() {
    PeerPoint point = outline();
    point.status = Status::failed;
    point.reason = "no GPU reported";
    findings_.points.push_back(std::move(point));
  }

  static constexpr std::int64_t most_gpus = 1024;

  const Block& block_;
  Findings& findings_;
  std::vector<BurntGpu> gpus_;
  std::vector<std::int64_t> devices_;
  std::map<std::int64_t, std::string> serials_, names_;
  std::string started_;
  bool tested_ = false, doubles_ = false, tensor_cores_ = false;
  long line_ = 0;
};

void read_gpu_burn(const Block& block, Findings& findings) { GpuBurn(block, findings).read(); }

}  // namespace

Reader gpu_burn_reader() {
  return {.kind = "gpu-burn", .title = "gpu-burn text", .opens = burn_opens, .read = read_gpu_burn};
}

}  // namespace assay::results::peers
