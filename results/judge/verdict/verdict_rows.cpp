// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/verdict_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <ranges>
#include <stdexcept>

#include "results/judge/verdict/shared_texts.hpp"

namespace assay::results {
namespace {

constexpr std::array own_texts{&VerdictRow::unit, &VerdictRow::metric, &VerdictRow::because};
constexpr std::array common_texts{&VerdictRow::origin, &VerdictRow::kind, &VerdictRow::value_unit,
                                  &VerdictRow::limit_source, &VerdictRow::meaning};
constexpr std::int8_t no_action = -1;
constexpr std::uint8_t value_is_there = 1, limit_is_there = 2;

/// Each line after its length.
std::string joined_lines(const std::vector<std::string>& lines) {
  std::string joined;
  for (const std::string& line : lines) {
    const std::size_t size = line.size();
    joined.append(reinterpret_cast<const char*>(&size), sizeof size).append(line);
  }
  return joined;
}

std::vector<std::string> split_lines(std::string_view joined) {
  std::vector<std::string> lines;
  while (!joined.empty()) {
    std::size_t size = 0;
    std::memcpy(&size, joined.data(), sizeof size);
    lines.emplace_back(joined.substr(sizeof size, size));
    joined.remove_prefix(sizeof size + size);
  }
  return lines;
}

/// In the order of their bits in a shape.
std::array<std::optional<double>, 6> numbers_of(const VerdictRow& row) {
  const VerdictLimit limit = row.limit.value_or(VerdictLimit{});
  return {row.value ? std::optional(row.value->value) : std::nullopt,
          row.value ? row.value->lower : std::nullopt,
          row.value ? row.value->upper : std::nullopt,
          limit.lowest,
          limit.highest,
          row.smallest_defect};
}

}  // namespace

struct VerdictRows::Packed {
  /// The part that many rows have in common; texts by number.
  struct Shape {
    std::array<std::uint32_t, common_texts.size()> texts{};
    VerdictMark mark;
    std::int8_t action = no_action;
    std::uint8_t there = 0;  // numbers, a bit each: value, its bounds, limits, smallest defect
    std::uint8_t holds = 0;  // value_is_there, limit_is_there

    auto operator<=>(const Shape&) const = default;
  };
  struct Row {
    std::array<std::uint32_t, own_texts.size()> texts{};
    std::uint32_t evidence = 0, shape = 0;
    std::uint32_t first_number = 0;
    std::int64_t n = 0;
  };

  void add(const VerdictRow& row);
  VerdictRow row(std::uint32_t at, const std::string& origin) const;
  const Shape& shape_of(std::uint32_t at) const { return shapes[rows[at].shape]; }

  SharedTexts texts;
  std::deque<Row> rows;
  std::deque<double> numbers;
  std::vector<Shape> shapes;

 private:
  Shape shaped(const VerdictRow& row);
  std::uint32_t number_of(const Shape& shape);
  std::uint32_t first_of(const std::vector<double>& own);
  void unpack_numbers(const Shape& shape, std::size_t first, VerdictRow& row) const;

  std::map<Shape, std::uint32_t> shape_numbers_;
};

VerdictRows::Packed::Shape VerdictRows::Packed::shaped(const VerdictRow& row) {
  Shape shape{.mark = {row.verdict, row.excused}};
  for (std::size_t at = 0; at < common_texts.size(); ++at)
    shape.texts[at] = texts.number_of(row.*common_texts[at]);
  if (row.action) shape.action = static_cast<std::int8_t>(*row.action);
  shape.holds =
      static_cast<std::uint8_t>((row.value ? value_is_there : 0) | (row.limit ? limit_is_there : 0));
  std::uint8_t bit = 1;
  for (const std::optional<double>& number : numbers_of(row)) {
    if (number) shape.there |= bit;
    bit = static_cast<std::uint8_t>(bit << 1U);
  }
  return shape;
}

std::uint32_t VerdictRows::Packed::number_of(const Shape& shape) {
  if (!rows.empty() && shape_of(static_cast<std::uint32_t>(rows.size() - 1)) == shape)
    return rows.back().shape;
  const auto [known, fresh] = shape_numbers_.try_emplace(shape, static_cast<std::uint32_t>(shapes.size()));
  if (fresh) shapes.push_back(shape);
  return known->second;
}

/// The place of these numbers; a row whose numbers are those of the row before shares them.
std::uint32_t VerdictRows::Packed::first_of(const std::vector<double>& own) {
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  if (own.size() <= numbers.size() &&
      std::ranges::equal(own, std::ranges::subrange(numbers.end() - std::ssize(own), numbers.end()), {}, bits,
                         bits))
    return static_cast<std::uint32_t>(numbers.size() - own.size());
  numbers.insert(numbers.end(), own.begin(), own.end());
  return static_cast<std::uint32_t>(numbers.size() - own.size());
}

void VerdictRows::Packed::add(const VerdictRow& row) {
  Row packed{.shape = number_of(shaped(row)), .n = row.n};
  for (std::size_t at = 0; at < own_texts.size(); ++at)
    packed.texts[at] = texts.number_of(row.*own_texts[at]);
  packed.evidence = texts.number_of(joined_lines(row.evidence));
  std::vector<double> own;
  for (const std::optional<double>& number : numbers_of(row))
    if (number) own.push_back(*number);
  packed.first_number = first_of(own);
  rows.push_back(packed);
}

void VerdictRows::Packed::unpack_numbers(const Shape& shape, std::size_t first, VerdictRow& row) const {
  std::uint8_t bit = 1;
  const auto next = [&] {
    const bool is_there = (shape.there & bit) != 0;
    bit = static_cast<std::uint8_t>(bit << 1U);
    return is_there ? std::optional(numbers[first++]) : std::nullopt;
  };
  const std::optional<double> value = next(), lower = next(), upper = next(), lowest = next(),
                              highest = next();
  if ((shape.holds & value_is_there) != 0) row.value = Number{value.value_or(0), lower, upper};
  if ((shape.holds & limit_is_there) != 0) row.limit = VerdictLimit{lowest, highest};
  row.smallest_defect = next();
}

VerdictRow VerdictRows::Packed::row(std::uint32_t at, const std::string& origin) const {
  const Row& packed = rows[at];
  const Shape& shape = shape_of(at);
  VerdictRow row{.verdict = shape.mark.verdict, .n = packed.n, .excused = shape.mark.excused};
  for (std::size_t text = 0; text < own_texts.size(); ++text)
    row.*own_texts[text] = texts[packed.texts[text]];
  for (std::size_t text = 0; text < common_texts.size(); ++text)
    row.*common_texts[text] = texts[shape.texts[text]];
  if (row.origin.empty()) row.origin = origin;
  row.evidence = split_lines(texts[packed.evidence]);
  if (shape.action != no_action) row.action = static_cast<Action>(shape.action);
  unpack_numbers(shape, packed.first_number, row);
  return row;
}

int gravity_of(const VerdictMark& mark) { return mark.excused ? -1 : static_cast<int>(mark.verdict); }

std::string_view word_of(const VerdictMark& mark) {
  return mark.excused ? "excused" : to_string(mark.verdict);
}

VerdictRows::VerdictRows(const std::vector<VerdictRow>& rows) {
  for (const VerdictRow& row : rows) push_back(row);
}

VerdictRows::VerdictRows(std::initializer_list<VerdictRow> rows) {
  for (const VerdictRow& row : rows) push_back(row);
}

void VerdictRows::push_back(const VerdictRow& row) {
  const bool is_open = !parts_.empty() && parts_.back().origin.empty() && parts_.back().rows.use_count() == 1;
  if (!is_open) parts_.push_back({std::make_shared<Packed>(), {}});
  Packed& packed = *parts_.back().rows;
  packed.add(row);
  order_.push_back(
      {static_cast<std::uint32_t>(parts_.size() - 1), static_cast<std::uint32_t>(packed.rows.size() - 1)});
}

void VerdictRows::append(const VerdictRows& more) {
  const auto before = static_cast<std::uint32_t>(parts_.size());
  const std::vector<Part> parts = more.parts_;  // which may be these
  const std::vector<Place> order = more.order_;
  parts_.insert(parts_.end(), parts.begin(), parts.end());
  order_.reserve(order_.size() + order.size());
  for (const Place& place : order) order_.push_back({before + place.part, place.row});
}

void VerdictRows::name_origin(const std::string& origin) {
  for (Part& part : parts_)
    if (part.origin.empty()) part.origin = origin;
}

void VerdictRows::sort_by_gravity() {
  const auto gravity = [&](const Place& place) {
    return gravity_of(parts_[place.part].rows->shape_of(place.row).mark);
  };
  if (!std::ranges::is_sorted(order_, std::ranges::greater{}, gravity))
    std::ranges::stable_sort(order_, std::ranges::greater{}, gravity);
}

VerdictRow VerdictRows::operator[](std::size_t at) const {
  const Part& part = parts_[order_[at].part];
  return part.rows->row(order_[at].row, part.origin);
}

VerdictRow VerdictRows::at(std::size_t at) const {
  if (at >= size()) throw std::out_of_range("a row of verdicts that is not there");
  return (*this)[at];
}

VerdictMark VerdictRows::mark(std::size_t at) const {
  return parts_[order_[at].part].rows->shape_of(order_[at].row).mark;
}

std::string_view VerdictRows::unit(std::size_t at) const {
  const Packed& packed = *parts_[order_[at].part].rows;
  return packed.texts[packed.rows[order_[at].row].texts[0]];
}

std::string_view VerdictRows::metric(std::size_t at) const {
  const Packed& packed = *parts_[order_[at].part].rows;
  return packed.texts[packed.rows[order_[at].row].texts[1]];
}

std::string_view VerdictRows::kind(std::size_t at) const {
  const Packed& packed = *parts_[order_[at].part].rows;
  return packed.texts[packed.shape_of(order_[at].row).texts[1]];
}

std::string_view VerdictRows::origin(std::size_t at) const {
  const Part& part = parts_[order_[at].part];
  const std::string_view own = part.rows->texts[part.rows->shape_of(order_[at].row).texts[0]];
  return own.empty() ? part.origin : own;
}

std::set<std::string> VerdictRows::origins() const {
  std::set<std::string> origins;
  std::string_view before;
  for (std::size_t at = 0; at < size(); ++at) {
    const std::string_view own = origin(at);
    if (own == before) continue;
    before = own;
    if (!own.empty()) origins.emplace(own);
  }
  return origins;
}

std::vector<VerdictRow> VerdictRows::unpacked() const { return {begin(), end()}; }

}  // namespace assay::results
