// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/text/json_from.hpp"

#include <array>

#include "harness/core/text/json_builder.hpp"

namespace assay::core {
namespace {

class Builder : public OrderedJsonBuilder {
 public:
  explicit Builder(bool throws) : throws_(throws) {}

  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    if (!throws_) return false;
    throw as_parse_error(error);
  }

 private:
  bool throws_;
};

/// After the quote that ends a text; the end where none does.
const char* past_text(const char* at, const char* end) {
  for (; at < end; ++at) {
    if (*at == '"') return at + 1;
    if (*at == '\\') ++at;
  }
  return end;
}

}  // namespace

std::string json_beyond_limits(std::string_view text) {
  std::array<std::size_t, ParseLimits::levels + 1> keys{};
  std::size_t depth = 0;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const char byte = *at++;
    if (byte == '"') {
      at = past_text(at, end);
    } else if (byte == '{' || byte == '[') {
      if (depth == ParseLimits::levels) return OrderedJsonBuilder::too_many_levels();
      keys.at(++depth) = 0;
    } else if (byte == '}' || byte == ']') {
      if (depth > 0) --depth;
    } else if (byte == ':') {
      if (++keys.at(depth) > ParseLimits::keys) return OrderedJsonBuilder::too_many_keys();
    }
  }
  return {};
}

namespace {

enum class Fault { throws, discards };

template <EitherJson Json>
Json parsed(std::string_view text, Fault fault) {
  if (const std::string beyond = json_beyond_limits(text); !beyond.empty()) {
    if (fault == Fault::throws) throw parse_error_of(beyond);
    return Json(Json::value_t::discarded);
  }
  if constexpr (std::same_as<Json, nlohmann::json>) {
    try {
      return Json::parse(text, nullptr, fault == Fault::throws);
    } catch (const nlohmann::json::out_of_range& too_large) {
      throw as_parse_error(too_large);
    }
  } else {
    Builder builder(fault == Fault::throws);
    if (!Json::sax_parse(text, &builder)) return Json(Json::value_t::discarded);
    return std::move(builder.document());
  }
}

}  // namespace

template <EitherJson Json>
Json json_from(std::string_view text) {
  return parsed<Json>(text, Fault::throws);
}

template <EitherJson Json>
Json json_or_discarded(std::string_view text) {
  return parsed<Json>(text, Fault::discards);
}

template nlohmann::json json_from(std::string_view);
template nlohmann::ordered_json json_from(std::string_view);
template nlohmann::json json_or_discarded(std::string_view);
template nlohmann::ordered_json json_or_discarded(std::string_view);

}  // namespace assay::core
