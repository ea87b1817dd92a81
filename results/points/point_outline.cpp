// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/point_outline.hpp"

#include <string.h>  // memmem

namespace assay::results {
namespace {

/// Keys in their order. A key with its quotes cannot be within a text, where quotes are escaped.
class OutlineReader {
 public:
  explicit OutlineReader(std::string_view record) : text_(record) {}

  /// Continues behind the next place of `key`.
  bool find(std::string_view key) {
    if (!good_) return false;
    // Much faster than find(), which stops at every quote.
    const void* found = memmem(text_.data() + at_, text_.size() - at_, key.data(), key.size());
    good_ = found != nullptr;
    if (good_) at_ = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data()) + key.size();
    return good_;
  }
  bool has(std::string_view next) {
    if (!good_ || text_.compare(at_, next.size(), next) != 0) return false;
    at_ += next.size();
    return true;
  }
  /// Behind its opening quote.
  std::string_view text() {
    const std::size_t begin = at_;
    while (good_ && at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    good_ = good_ && at_ < text_.size();
    return good_ ? text_.substr(begin, at_ - begin) : std::string_view();
  }
  std::string_view number() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '}') ++at_;
    return text_.substr(begin, at_ - begin);
  }
  /// All that is left, less the brace that closes the record.
  std::string_view last_object() {
    good_ = good_ && at_ + 1 < text_.size() && text_[at_] == '{' && text_.ends_with("}}");
    return good_ ? text_.substr(at_, text_.size() - 1 - at_) : std::string_view();
  }
  bool good() const { return good_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

}  // namespace

std::optional<PointOutline> outline_of(std::string_view record) {
  OutlineReader at(record);
  PointOutline outline;
  if (at.find(R"(,"case":")")) outline.case_name = at.text();
  at.find(R"(,"elapsed_s":)");
  at.number();
  if (at.has(R"(,"time":{"quantile":)")) outline.quantile = at.number();
  if (at.find(R"(,"work":{"bytes":)")) outline.work_bytes = at.number();
  if (at.has(R"(,"flops":)")) outline.work_flops = at.number();
  if (at.find(R"(,"bytes_counted":")")) outline.bytes_counted = at.text();
  if (at.find(R"(,"verification":{"result":")")) outline.verification = at.text();
  if (at.find(R"(,"why":")")) outline.verification_why = at.text();
  if (at.find(R"(,"digest":")")) outline.digest = at.text();
  if (at.has(R"("},"conditions":)")) outline.conditions = at.last_object();
  const bool whole = at.good() && !outline.work_flops.empty() && !outline.conditions.empty();
  return whole ? std::optional(outline) : std::nullopt;
}

std::string_view field_in(std::string_view object, std::string_view key) {
  if (object.size() < key.size() + 4) return {};
  for (std::size_t at = object.find(key); at != std::string_view::npos; at = object.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if (at == 0 || object[at - 1] != '"' || object.substr(end, 2) != "\":") continue;
    OutlineReader value(object.substr(end + 2));
    return value.has("\"") ? value.text() : value.number();
  }
  return {};
}

}  // namespace assay::results
