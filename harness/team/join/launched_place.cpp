// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/launched_place.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

std::optional<int> number(const Environment& environment, const char* name) {
  const char* text = environment(name);
  if (text == nullptr) return std::nullopt;
  int value = 0;
  const char* end = text + std::strlen(text);
  if (const auto [last, error] = std::from_chars(text, end, value);
      error != std::errc{} || last != end || value < 0)
    core::usage_error(fmt::format("{}='{}': expected a number", name, text));
  return value;
}

std::optional<LaunchedPlace> open_mpi_place(const Environment& environment) {
  const auto rank = number(environment, "OMPI_COMM_WORLD_RANK");
  const auto size = number(environment, "OMPI_COMM_WORLD_SIZE");
  if (!rank || !size) return std::nullopt;
  return LaunchedPlace{*rank, *size};
}

}  // namespace

std::optional<LaunchedPlace> launched_place(const Environment& environment) {
  std::optional<LaunchedPlace> place;
  if (const auto torchrun = torchrun_rendezvous(environment))
    place = {torchrun->rank, torchrun->size};
  else if (const auto mpi = open_mpi_place(environment))
    place = *mpi;
  else if (const auto slurm = slurm_rendezvous(environment))
    place = {slurm->rank, slurm->size};
  if (place && place->size < 2) place.reset();
  return place;
}

}  // namespace assay::team
