// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/operands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::collectives {

Operands::Memory Operands::allocate(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  const std::size_t whole = std::max((bytes + page - 1) / page, std::size_t{1}) * page;
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(page, whole)));
  if (!memory)
    throw core::Error(core::ErrorKind::system, fmt::format("no memory for a buffer of {} bytes", bytes));
  return memory;
}

Operands::Operands(Problem problem, const Content& content, int rank)
    : problem_(std::move(problem)), content_(content), rank_(rank) {
  const Shape shape = shape_of(problem_, rank);
  const auto size = [&](std::int64_t elements) {
    return static_cast<std::size_t>(elements * bytes_of(content.type));
  };
  if (problem_.in_place) {
    first_ = allocate(size(shape.together));
    input_ = {first_.get() + size(shape.input_at), size(shape.input)};
    output_ = {first_.get() + size(shape.output_at), size(shape.output)};
  } else {
    first_ = allocate(size(shape.input));
    second_ = allocate(size(shape.output));
    input_ = {first_.get(), size(shape.input)};
    output_ = {second_.get(), size(shape.output)};
  }
  refill();
}

void Operands::refill() {
  constexpr int spoilt = 0xff;  // NaN in every floating-point type, -1 in whole numbers
  if (!output_.empty()) std::memset(output_.data(), spoilt, output_.size());
  fill_input(problem_, content_, rank_, input_);
}

std::optional<std::string> Operands::first_wrong() const {
  return collectives::first_wrong(problem_, content_, rank_, output_);
}

bool Operands::keep_their_input() const {
  switch (problem_.operation) {
    case Operation::all_gather:
    case Operation::gather:
    case Operation::scatter:
    case Operation::broadcast:
    case Operation::barrier:
      return true;
    default:
      return !problem_.in_place;
  }
}

}  // namespace assay::collectives
