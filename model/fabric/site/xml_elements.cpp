// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/xml_elements.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/parse_limits.hpp"

namespace assay::model::fabric::site {

namespace {

constexpr std::array<std::pair<std::string_view, char>, 5> xml_entities = {
    {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};

bool is_space(char one) { return one == ' ' || one == '\t' || one == '\n' || one == '\r'; }
bool is_name(char one) {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') ||
         one == '_' || one == '-' || one == '.' || one == ':';
}

class XmlReader {
 public:
  XmlReader(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  std::vector<XmlElement> read() {
    for (skip_space(); at_ < text_.size(); skip_space()) {
      if (starts_with("<?")) {
        skip_past("?>");
      } else if (starts_with("<!--")) {
        skip_past("-->");
      } else if (starts_with("</")) {
        end_element();
      } else if (starts_with("<") && !starts_with("<!")) {
        begin_element();
      } else {
        refuse("expected an element, '<name ...>'");
      }
    }
    if (!open_.empty()) refuse("element '" + elements_[open_.back()].name + "' does not end");
    if (elements_.empty()) refuse("expected an element, '<name ...>'");
    return std::move(elements_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    core::usage_error(file_ + ":" + std::to_string(line_) + ": " + what);
  }

  bool starts_with(std::string_view word) const {
    return std::string_view(text_).substr(at_).starts_with(word);
  }
  void advance(std::size_t bytes) {
    for (std::size_t end = std::min(text_.size(), at_ + bytes); at_ < end; ++at_)
      if (text_[at_] == '\n') ++line_;
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) advance(1);
  }
  void skip_past(std::string_view word) {
    const std::size_t end = text_.find(word, at_);
    if (end == std::string::npos) refuse("expected '" + std::string(word) + "' before the end of the file");
    advance(end + word.size() - at_);
  }
  void take(std::string_view word) {
    if (!starts_with(word)) refuse("expected '" + std::string(word) + "'");
    advance(word.size());
  }
  std::string take_name() {
    std::size_t end = at_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end == at_) refuse("expected a name of letters and digits");
    std::string name = text_.substr(at_, end - at_);
    advance(end - at_);
    return name;
  }

  std::string take_value() {
    const std::string mark = starts_with("'") ? "'" : "\"";
    take(mark);
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string::npos) refuse("expected '" + mark + "' after a value");
    std::string value;
    while (at_ < end) {
      const auto* const entity =
          std::ranges::find_if(xml_entities, [&](const auto& one) { return starts_with(one.first); });
      if (entity != xml_entities.end()) {
        value += entity->second;
        advance(entity->first.size());
        continue;
      }
      if (text_[at_] == '<' || text_[at_] == '&') refuse("a value must not hold '<' or '&'");
      value += text_[at_];
      advance(1);
    }
    take(mark);
    return value;
  }

  void begin_element() {
    if (open_.empty() && !elements_.empty()) refuse("expected one outermost element");
    if (open_.size() == core::ParseLimits::levels)
      refuse("expected at most " + std::to_string(core::ParseLimits::levels) + " levels of elements");
    if (elements_.size() == core::ParseLimits::elements)
      refuse("expected at most " + std::to_string(core::ParseLimits::elements) + " elements");
    take("<");
    XmlElement element{take_name(), {}, open_.empty() ? XmlElement::none : open_.back(), line_};
    for (skip_space(); at_ < text_.size() && is_name(text_[at_]); skip_space()) {
      std::string key = take_name();
      take("=");
      std::string value = take_value();
      if (element.attributes.size() == core::ParseLimits::keys)
        refuse("expected at most " + std::to_string(core::ParseLimits::keys) + " attributes");
      if (!element.attributes.emplace(key, std::move(value)).second) refuse("'" + key + "' is given twice");
    }
    const bool ends = starts_with("/>");
    take(ends ? "/>" : ">");
    if (!ends) open_.push_back(elements_.size());
    elements_.push_back(std::move(element));
  }

  void end_element() {
    take("</");
    const std::string name = take_name();
    skip_space();
    take(">");
    if (open_.empty() || elements_[open_.back()].name != name)
      refuse("'" + name + "' ends but has not begun");
    open_.pop_back();
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0, line_ = 1;
  std::vector<XmlElement> elements_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::string XmlElement::attribute(std::string_view key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

namespace {

[[noreturn]] void refuse_number(const XmlElement& element, const char* key, const std::string& file) {
  core::usage_error(file + ":" + std::to_string(element.line) + ": " + element.name + "." + key +
                    ": expected a whole number, got '" + element.attribute(key) + "'");
}

}  // namespace

std::uint64_t number_in_base(const XmlElement& element, const char* key, int base, const std::string& file) {
  const std::string text = element.attribute(key);
  const std::size_t begin = base == 16 && text.starts_with("0x") ? 2 : 0;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) refuse_number(element, key, file);
  return number;
}

std::uint32_t whole_number(const XmlElement& element, const char* key, std::uint32_t absent,
                           const std::string& file) {
  const std::int64_t number = signed_number(element, key, std::int64_t{absent}, file);
  if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) refuse_number(element, key, file);
  return static_cast<std::uint32_t>(number);
}

std::int64_t signed_number(const XmlElement& element, const char* key, std::int64_t absent,
                           const std::string& file) {
  const std::string text = element.attribute(key);
  if (text.empty()) return absent;
  const bool is_hexadecimal = text.starts_with("0x");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + (is_hexadecimal ? 2 : 0), text.data() + text.size(),
                                            number, is_hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) refuse_number(element, key, file);
  return number;
}

std::vector<XmlElement> parse_xml(const std::string& text, const std::string& file) {
  return XmlReader(text, file).read();
}

}  // namespace assay::model::fabric::site
