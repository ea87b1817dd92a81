// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/rank_order.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/files/input_lines.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::size_t longest_row = 4096;  // bytes
constexpr NodeId not_placed = ~NodeId{0};

struct Place {
  std::uint32_t rank, server, gpu;
};

/// Three whole numbers with commas.
std::optional<Place> place_in_row(std::string_view row) {
  std::array<std::uint32_t, 3> numbers{};
  const char *at = row.data(), *const end = row.data() + row.size();
  for (std::size_t field = 0; field < numbers.size(); ++field) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, numbers[field]);
    if (error != std::errc()) return std::nullopt;
    at = next;
    while (at != end && (*at == ' ' || *at == '\r')) ++at;
    if (field < 2 && (at == end || *at++ != ',')) return std::nullopt;
  }
  return at == end ? std::optional(Place{numbers[0], numbers[1], numbers[2]}) : std::nullopt;
}

class OrderReader {
 public:
  OrderReader(std::string file, std::uint32_t ranks, std::uint32_t gpus, std::uint32_t gpus_per_server)
      : file_(std::move(file)),
        gpus_per_server_(gpus_per_server),
        host_of_rank_(ranks, not_placed),
        rank_of_host_(gpus, not_placed) {}

  /// The hosts of all ranks if `all` must have a place, else of those up to the highest that has one.
  std::vector<NodeId> read(bool all) {
    core::InputLines lines(file_, "an order of ranks (CSV: rank,host,gpu)", longest_row);
    while (lines.next()) {
      ++line_;
      const std::string row(lines.line());
      if (lines.too_long()) refuse_row("is longer than a row can be");
      if (line_ == 1 && row.starts_with("rank")) continue;
      if (!row.empty() && row != "\r") take(row);
    }
    if (!all)
      while (!host_of_rank_.empty() && host_of_rank_.back() == not_placed) host_of_rank_.pop_back();
    for (std::size_t rank = 0; rank < host_of_rank_.size(); ++rank)
      if (host_of_rank_[rank] == not_placed)
        core::usage_error(fmt::format("{}: rank {} has no place: expected a row for each of {} ranks", file_,
                                      rank, host_of_rank_.size()));
    return host_of_rank_;
  }

 private:
  [[noreturn]] void refuse_row(const std::string& why) const {
    core::usage_error(fmt::format("{}:{}: {}", file_, line_, why));
  }

  void take(const std::string& row) {
    const std::optional<Place> place = place_in_row(row);
    if (!place) refuse_row("expected rank,host,gpu as whole numbers");
    if (place->rank >= host_of_rank_.size())
      refuse_row(fmt::format("rank {}: expected at most {}", place->rank, host_of_rank_.size() - 1));
    if (place->gpu >= gpus_per_server_)
      refuse_row(fmt::format("gpu {}: expected at most {}", place->gpu, gpus_per_server_ - 1));
    const std::uint64_t host = std::uint64_t{place->server} * gpus_per_server_ + place->gpu;
    if (host >= rank_of_host_.size())
      refuse_row(fmt::format("host {}: the fabric has {} GPUs in servers of {}", place->server,
                             rank_of_host_.size(), gpus_per_server_));
    if (host_of_rank_[place->rank] != not_placed)
      refuse_row(fmt::format("rank {} is placed twice", place->rank));
    if (rank_of_host_[host] != not_placed)
      refuse_row(
          fmt::format("host {} gpu {} has rank {} already", place->server, place->gpu, rank_of_host_[host]));
    host_of_rank_[place->rank] = static_cast<NodeId>(host);
    rank_of_host_[host] = place->rank;
  }

  std::string file_;
  std::uint32_t gpus_per_server_;
  std::vector<NodeId> host_of_rank_;
  std::vector<std::uint32_t> rank_of_host_;
  std::size_t line_ = 0;
};

}  // namespace

std::vector<NodeId> linear_order(std::uint32_t ranks, std::uint32_t gpus, const std::string& where,
                                 std::uint32_t first_gpu) {
  if (std::uint64_t{first_gpu} + ranks > gpus)
    core::usage_error(fmt::format("{}: {} ranks{}, and the fabric has {} GPUs: expected at most as many",
                                  where, ranks,
                                  first_gpu > 0 ? fmt::format(" from GPU {} on", first_gpu) : "", gpus));
  std::vector<NodeId> order(ranks);
  std::iota(order.begin(), order.end(), NodeId{first_gpu});
  return order;
}

std::vector<NodeId> read_order(const std::string& file, std::uint32_t ranks, std::uint32_t gpus,
                               std::uint32_t gpus_per_server) {
  return OrderReader(file, ranks, gpus, gpus_per_server).read(true);
}

std::vector<NodeId> read_order(const std::string& file, std::uint32_t gpus, std::uint32_t gpus_per_server) {
  return OrderReader(file, gpus, gpus, gpus_per_server).read(false);
}

}  // namespace assay::model::fabric
