// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/streamed_list.hpp"

#include <istream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "results/record/record_rules.hpp"

namespace assay::results {
namespace {

constexpr std::size_t read_at_once = std::size_t{1} << 16U;

class SourceBuffer : public std::streambuf {
 public:
  explicit SourceBuffer(const core::ByteSource& source) : source_(source), piece_(read_at_once, '\0') {}

 protected:
  int_type underflow() override {
    const std::size_t got = source_(piece_.data(), piece_.size());
    if (got == 0) return traits_type::eof();
    setg(piece_.data(), piece_.data(), piece_.data() + got);
    return traits_type::to_int_type(*gptr());
  }

 private:
  const core::ByteSource& source_;
  std::string piece_;
};

/// Builds the document and drops each element of the list once it was given.
class DocumentWithList : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  using Json = nlohmann::ordered_json;

  DocumentWithList(std::string_view list, const JsonElementSink& take) : list_name_(list), take_(take) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t& value) override { return put(std::move(value)); }  // never in text
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override {
    const bool is_list = open_.size() == 1 && next_is_list_;
    open(Json::array());
    if (is_list) list_ = open_.back();
    return true;
  }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (open_.size() == 1) next_is_list_ = name == list_name_;
    const auto [member, is_new] = open_.back()->emplace(name, nullptr);
    if (!is_new) throw key_twice(name);
    member_ = &member.value();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    throw std::runtime_error(error.what());
  }

  Json& document() { return document_; }

 private:
  Json& placed(Json value) {
    if (open_.empty()) return document_ = std::move(value);
    if (!open_.back()->is_array()) return *member_ = std::move(value);
    open_.back()->push_back(std::move(value));
    return open_.back()->back();
  }
  bool put(Json value) {
    placed(std::move(value));
    return give_element();
  }
  /// Its place does not move while it is open: what it is in gets nothing more until then.
  bool open(Json value) {
    open_.push_back(&placed(std::move(value)));
    return true;
  }
  bool close() {
    if (open_.back() == list_) list_ = nullptr;
    open_.pop_back();
    return give_element();
  }
  bool give_element() {
    if (open_.empty() || open_.back() != list_) return true;
    take_(list_->back());
    list_->clear();
    return true;
  }

  std::string_view list_name_;
  const JsonElementSink& take_;
  Json document_;
  std::vector<Json*> open_;  // objects and lists, from the outermost
  Json* member_ = nullptr;   // of the innermost object, for the value that comes
  Json* list_ = nullptr;     // while it is open
  bool next_is_list_ = false;
};

}  // namespace

nlohmann::ordered_json parse_streaming(const core::ByteSource& source, std::string_view list,
                                       const JsonElementSink& take) {
  SourceBuffer buffer(source);
  std::istream stream(&buffer);
  DocumentWithList document(list, take);
  nlohmann::ordered_json::sax_parse(stream, &document);
  return std::move(document.document());
}

}  // namespace assay::results
