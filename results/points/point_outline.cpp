// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/point_outline.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace assay::results {
namespace {

/// A text that is looked for in many others (Horspool 1980): the byte below its end says how far the next
/// place is.
class Needle {
 public:
  consteval explicit Needle(std::string_view text) : text_(text) {
    steps_.fill(static_cast<std::uint8_t>(text.size()));
    for (std::size_t at = 0; at + 1 < text.size(); ++at)
      steps_[static_cast<unsigned char>(text[at])] = static_cast<std::uint8_t>(text.size() - 1 - at);
  }

  std::size_t size() const { return text_.size(); }
  /// Behind its first place in `text` from there on; npos where it has none.
  std::size_t behind(std::string_view text, std::size_t from) const {
    const std::size_t last = text_.size() - 1;
    for (std::size_t at = from; at + last < text.size();) {
      const char end = text[at + last];
      if (end == text_[last] && std::memcmp(text.data() + at, text_.data(), last) == 0) return at + last + 1;
      at += steps_[static_cast<unsigned char>(end)];
    }
    return std::string_view::npos;
  }

 private:
  std::string_view text_;
  std::array<std::uint8_t, 256> steps_{};
};

/// Keys in their order. A key with its quotes cannot be within a text, where quotes are escaped.
class OutlineReader {
 public:
  explicit OutlineReader(std::string_view record) : text_(record) {}

  /// Continues behind the next place of `key`. `usual`: how far behind this place it was in the record
  /// before, from where it is looked for first: records that follow each other are of much the same length.
  bool find(const Needle& key, std::size_t& usual) {
    constexpr std::size_t shorter = 48;
    if (!good_) return false;
    std::size_t behind = usual > shorter ? key.behind(text_, at_ + usual - shorter) : std::string_view::npos;
    if (behind == std::string_view::npos) behind = key.behind(text_, at_);
    good_ = behind != std::string_view::npos;
    if (!good_) return false;
    usual = behind - at_ - key.size();
    at_ = behind;
    return true;
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
  /// Up to the next of these.
  std::string_view until(char end) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find(end, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }
  /// A list from behind its `open` to its end, which is where the key that was found last begins; empty where
  /// something else ends there.
  std::string_view list_before(const Needle& key, std::string_view open) const {
    const std::size_t end = good_ ? at_ - key.size() - 1 : std::string_view::npos;
    if (end >= text_.size() || text_[end] != ']') return {};
    const std::size_t begin = text_.rfind(open, end);
    return begin == std::string_view::npos ? std::string_view()
                                           : text_.substr(begin + open.size(), end - begin - open.size());
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

constexpr Needle case_key(R"(,"case":")");
constexpr Needle status_key(R"(,"status":")");
constexpr Needle elapsed_key(R"(,"elapsed_s":)");
constexpr Needle metrics_key(R"(,"metrics":[)");
constexpr Needle work_key(R"(,"work":{"bytes":)");
constexpr Needle verification_key(R"(,"verification":{"result":")");

/// Places of keys in the record read before.
struct UsualPlaces {
  std::size_t of_case = 0, status = 0, elapsed = 0, metrics = 0, work = 0, verification = 0;
};

}  // namespace

std::optional<PointOutline> outline_of(std::string_view record) {
  thread_local UsualPlaces usual [[gnu::tls_model("initial-exec")]];
  OutlineReader at(record);
  PointOutline outline;
  if (at.find(case_key, usual.of_case)) outline.case_name = at.text();
  if (at.has(R"(","point":{)")) outline.axes = at.until('}');
  at.find(status_key, usual.status);
  outline.units = at.list_before(status_key, R"(,"units":[)");
  at.find(elapsed_key, usual.elapsed);
  at.number();
  if (at.has(R"(,"time":{"quantile":)")) outline.quantile = at.number();
  if (at.find(metrics_key, usual.metrics)) outline.metrics = at.until(']');
  if (at.find(work_key, usual.work)) outline.work_bytes = at.number();
  if (at.has(R"(,"flops":)")) outline.work_flops = at.number();
  if (at.has(R"(,"bytes_counted":")")) outline.bytes_counted = at.text();
  if (at.find(verification_key, usual.verification)) outline.verification = at.text();
  if (at.has(R"(","why":")")) outline.verification_why = at.text();
  if (at.has(R"(","digest":")")) outline.digest = at.text();
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
