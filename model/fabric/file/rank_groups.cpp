// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/file/rank_groups.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "harness/core/error.hpp"

namespace assay::model::fabric {

namespace {

struct GroupForm {
  std::uint32_t first = 0, end = 0, stride = 1, size = 0;  // size 0: all of a row
};

[[noreturn]] void refuse_groups(const std::string& text, const std::string& why) {
  core::usage_error(
      fmt::format("'{}': {}: expected first:end, first:end:stride or first:end:stride:size", text, why));
}

GroupForm group_form(const std::string& text) {
  GroupForm form;
  const std::array<std::uint32_t*, 4> fields = {&form.first, &form.end, &form.stride, &form.size};
  const char *at = text.data(), *const end = text.data() + text.size();
  std::size_t field = 0;
  for (; field < fields.size(); ++field) {
    const auto [next, error] = std::from_chars(at, end, *fields[field]);
    if (error != std::errc()) refuse_groups(text, "not whole numbers");
    at = next;
    if (at == end || *at != ':') break;
    ++at;
  }
  if (at != end || field < 1) refuse_groups(text, "not two to four whole numbers");
  if (form.end <= form.first) refuse_groups(text, "no ranks");
  if (form.stride == 0 || (field == 3 && form.size == 0)) refuse_groups(text, "a stride or size of 0");
  return form;
}

void append_groups(std::vector<RankGroup>& groups, const std::string& text, std::uint32_t ranks) {
  GroupForm form = group_form(text);
  if (form.end > ranks)
    refuse_groups(text, fmt::format("rank {} is beyond the last, {}", form.end - 1, ranks - 1));
  const std::uint32_t count = form.end - form.first;
  if (count % form.stride != 0)
    refuse_groups(text, fmt::format("{} ranks do not divide by a stride of {}", count, form.stride));
  if (form.size == 0) form.size = count / form.stride;
  const std::uint64_t row = std::uint64_t{form.size} * form.stride;
  if (count % row != 0)
    refuse_groups(text,
                  fmt::format("{} ranks do not divide into {} groups of {}", count, form.stride, form.size));
  if (form.size < 2) refuse_groups(text, "groups of one rank");
  for (std::uint32_t begin = form.first; begin < form.end; begin += static_cast<std::uint32_t>(row))
    for (std::uint32_t offset = 0; offset < form.stride; ++offset) {
      RankGroup& group = groups.emplace_back();
      for (std::uint32_t at = 0; at < form.size; ++at) group.push_back(begin + offset + at * form.stride);
    }
}

}  // namespace

std::vector<RankGroup> rank_groups(std::span<const std::string> texts, std::uint32_t ranks) {
  std::vector<RankGroup> groups;
  for (const std::string& text : texts) append_groups(groups, text, ranks);
  std::vector<char> met(ranks);
  for (const RankGroup& group : groups)
    for (const std::uint32_t rank : group) {
      if (met[rank] != 0)
        core::usage_error(fmt::format("rank {} is in two groups: expected groups that do not overlap", rank));
      met[rank] = 1;
    }
  return groups;
}

}  // namespace assay::model::fabric
