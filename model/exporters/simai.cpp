// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Arguments of SimAI_analytical, which reads no file of bandwidths (its issues 209 and 253). An all_reduce of
// 1 MiB or more takes bytes x 2 (n - 1) / n / busbw, with 2^30 bytes/s; busbw is -nv on one server, and the
// lesser of -nv and -nic x -n_p_s on several (AstraParamParse.hh, calbusbw.cc and Layer.cc, compute_time, of
// version 1.7).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/core/error.hpp"
#include "model/exporters/exporters.hpp"
#include "model/exporters/network_rows.hpp"

namespace assay::model::exporters {
namespace {

using fit::CollectiveRow;

constexpr double least_bytes = 1048576;
constexpr const char* gpus_option = "--gpus-per-server";
constexpr const char* nics_option = "--nics-per-server";

/// Fits the bus bandwidth of one number of ranks and of nodes; 0 nodes: the only number there is.
FittedFormula fit_busbw(ExportRequest request, std::int64_t ranks, std::int64_t nodes, const char* name) {
  request.ranks = ranks;
  request.nodes = nodes;
  request.least_bytes = std::max(request.least_bytes, least_bytes);
  const auto rows = network_rows(request, "SimAI from 1 MiB on", {"all_reduce"});
  const Formula<CollectiveRow> formula{
      .names = {name},
      .start = {fastest_ring_b_per_us(rows) / gib_per_s},
      .time_us = [](const CollectiveRow& row,
                    std::span<const double> busbw) { return ring_bytes(row) / (busbw[0] * gib_per_s); },
      .size = [](const CollectiveRow& row) { return row.size_bytes; }};
  return fit_formula(rows, formula, request.seed);
}

/// The all_reduces, but for --ranks and --nodes, which may name those of one server or those of several.
std::vector<CollectiveRow> all_reduces(ExportRequest request) {
  if (!request.collectives) return {};  // network_rows() says so
  request.ranks = request.nodes = 0;
  std::vector<CollectiveRow> rows = fit::read_collective_timings(*request.collectives).rows;
  std::erase_if(rows, [&](const CollectiveRow& row) {
    return row.operation != "all_reduce" || !is_asked_for(request, row);
  });
  return rows;
}

std::set<std::int64_t> numbers_of_ranks(const std::vector<CollectiveRow>& rows) {
  std::set<std::int64_t> numbers;
  for (const CollectiveRow& row : rows) numbers.insert(row.ranks);
  return numbers;
}

/// 1 where some row of that many ranks says that it is within a node, else 0.
std::int64_t nodes_of_server(const std::vector<CollectiveRow>& rows, std::int64_t gpus) {
  const auto is_within = [&](const CollectiveRow& row) {
    return row.ranks == gpus && row.tier() == fit::Tier::within;
  };
  return std::ranges::any_of(rows, is_within) ? 1 : 0;
}

/// The only one of `numbers`; a usage error that names them and the option that chooses.
std::int64_t only(const ExportRequest& request, const std::set<std::int64_t>& numbers, const char* option) {
  if (numbers.size() == 1) return *numbers.begin();
  core::usage_error(fmt::format("{}: all_reduce of {} ranks: choose one with {}", request.collectives->name,
                                fmt::join(numbers, ", "), option));
}

std::int64_t gpus_per_server(const ExportRequest& request, const std::set<std::int64_t>& numbers) {
  const std::int64_t given = std::stoll(request.own_option(gpus_option));
  if (given > 0) return given;
  return request.ranks > 0 || numbers.empty() ? request.ranks : only(request, numbers, gpus_option);
}

/// The ranks of several servers that were measured.
std::int64_t ranks_of_servers(const ExportRequest& request, std::set<std::int64_t> numbers,
                              std::int64_t gpus) {
  if (request.ranks > gpus) return request.ranks;
  std::erase_if(numbers, [&](std::int64_t ranks) { return ranks <= gpus; });
  if (numbers.empty())
    core::usage_error(fmt::format("{}: no all_reduce of more than {} ranks: {} needs one",
                                  request.collectives->name, gpus, nics_option));
  return only(request, numbers, "--ranks");
}

Exported export_simai(const ExportRequest& request) {
  const std::vector<CollectiveRow> rows = all_reduces(request);
  const std::set<std::int64_t> numbers = numbers_of_ranks(rows);
  const std::int64_t gpus = gpus_per_server(request, numbers);
  const std::int64_t nics = std::stoll(request.own_option(nics_option));
  Exported made;
  FittedFormula nv = fit_busbw(request, gpus, nodes_of_server(rows, gpus), "nv_gib_per_s");
  std::string arguments = fmt::format("-g_p_s {} -nv {:.6g}", gpus, nv.value(0));
  if (nics > 0) {
    FittedFormula servers =
        fit_busbw(request, ranks_of_servers(request, numbers, gpus), request.nodes, "busbw_gib_per_s");
    if (servers.value(0) > nv.value(0))
      made.notes.emplace_back("several servers were faster than one: SimAI takes -nv for both");
    arguments += fmt::format(" -nic {:.6g} -n_p_s {}", servers.value(0) / static_cast<double>(nics), nics);
    made.fits.emplace_back("all_reduce of several servers", std::move(servers));
  } else if (!numbers.empty() && *numbers.rbegin() > gpus) {
    made.notes.push_back(
        fmt::format("no -nic: {} was not given, so collectives of more than {} ranks are "
                    "left out",
                    nics_option, gpus));
  }
  made.fits.emplace(made.fits.begin(), "all_reduce of one server", std::move(nv));
  made.files.push_back({"", arguments + "\n"});
  made.notes.emplace_back(
      "of other operations SimAI scales these by ratios of its own files (nvlink_ratio.csv, nic_ratio.csv, "
      "ata_ratio.csv)");
  made.notes.emplace_back("below 1 MiB SimAI uses built-in constants, which no measurement can replace");
  return made;
}

}  // namespace

Exporter simai_exporter() {
  using Kind = OwnOption::Kind;
  return {.name = "simai",
          .about = "arguments of SimAI_analytical: -nv, and -nic of several servers",
          .uses = {},
          .write = export_simai,
          .own = {{.flag = gpus_option,
                   .about = "ranks of one server; 0: the only number measured",
                   .kind = Kind::from_zero,
                   .otherwise = "0"},
                  {.flag = nics_option,
                   .about = "NICs of one server, for -nic; 0: none",
                   .kind = Kind::from_zero,
                   .otherwise = "0"}}};
}

}  // namespace assay::model::exporters
