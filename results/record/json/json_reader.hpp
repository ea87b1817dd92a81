// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Reads what has a description (harness/core/describe/field.hpp) from JSON. Every complaint is one line that
// names the key and what was expected there. Private to results/record.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/record/record.hpp"

namespace assay::results {

class JsonReader {
 public:
  using Json = nlohmann::ordered_json;

  /// `path` prefixes keys in messages.
  JsonReader(const Json& object, std::string path);

  bool has(const char* key) const { return object_.contains(key); }
  const Json& at(const char* key) const;
  [[noreturn]] static void refuse(const std::string& key, const std::string& expected, const Json& found);

  /// Reads the key of each row; a row's member keeps its value where the key may be absent and is.
  template <class... Row, class T>
  void read(const std::tuple<Row...>& rows, T& into) const {
    core::each_row(rows, [&](const auto& row) { read_row(row, into); });
  }

  void read(const char* key, const core::Terms& terms, std::string& into) const;
  void read(const char* key, const core::Terms& terms, std::int64_t& into) const;
  void read(const char* key, const core::Terms& terms, std::uint64_t& into) const;
  void read(const char* key, const core::Terms& terms, int& rank) const;
  /// Null is NaN, unknown.
  void read(const char* key, const core::Terms& terms, double& into) const;
  void read(const char* key, const core::Terms& terms, bool& into) const;
  void read(const char* key, const core::Terms& terms, Fields& into) const;
  void read(const char* key, const core::Terms& terms, Json& into) const;
  void read(const char* key, const core::Terms& terms, std::vector<double>& into) const;
  void read(const char* key, const core::Terms& terms, std::vector<std::string>& into) const;

 private:
  /// The key with its path.
  std::string name(const char* key) const { return path_.empty() ? key : path_ + "." + key; }
  const Json& array(const char* key) const;
  double as_number(const Json& value, const char* key) const;
  Scalar scalar(const char* key, const Json& value) const;
  std::vector<std::int64_t> column(const char* key, const core::Terms& terms) const;

  template <class Enum>
    requires std::is_enum_v<Enum>
  void read(const char* key, const core::Terms& terms, Enum& into) const {
    std::string word;
    read(key, terms, word);
    constexpr auto words = words_for(core::Type<Enum>());
    if (const std::optional<Enum> value = words.named(word))
      into = *value;
    else
      refuse(name(key), core::alternatives(words.words), at(key));
  }
  template <core::Described T>
  void read(const char* key, const core::Terms&, T& into) const {
    JsonReader(at(key), name(key)).read(fields_of(core::Type<T>()), into);
  }
  template <class Value>
  void read(const char* key, const core::Terms& terms, std::optional<Value>& into) const {
    if (!at(key).is_null() || core::Described<Value>) read(key, terms, into.emplace());
  }
  template <core::Described Part>
  void read(const char* key, const core::Terms&, std::vector<Part>& into) const {
    for (const Json& entry : array(key)) {
      const JsonReader from(entry, name(key) + "[" + std::to_string(into.size()) + "]");
      from.read(fields_of(core::Type<Part>()), into.emplace_back());
    }
  }

  template <core::FieldName name, auto member, class T>
  void read_row(const core::Field<name, member>& field, T& into) const {
    using Value = std::remove_cvref_t<decltype(into.*member)>;
    const bool may_be_absent = field.terms.may_be_absent || core::is_optional<Value>;
    if (!may_be_absent || has(field.name.text)) read(field.name.text, field.terms, into.*member);
  }
  template <core::FieldName name, class... Part, class T>
  void read_row(const core::Group<name, Part...>& group, T& into) const {
    JsonReader(at(group.name.text), this->name(group.name.text)).read(group.parts, into);
  }
  template <auto member, class... Part, class T>
  void read_row(const core::Columns<member, Part...>& columns, T& into) const {
    const char* first = nullptr;
    core::each_row(columns.parts, [&](const auto& part) {
      const std::vector<std::int64_t> values = column(part.name.text, part.terms);
      if (first == nullptr) (into.*member).resize(values.size());
      if (values.size() != (into.*member).size())
        refuse(name(part.name.text), std::string("as many as ") + first, at(part.name.text));
      first = part.name.text;
      for (std::size_t i = 0; i < values.size(); ++i) (into.*member)[i].*(part.member) = values[i];
    });
  }

  const Json& object_;
  std::string path_;
};

}  // namespace assay::results
