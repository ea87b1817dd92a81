// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/verdict/streamed_list.hpp"

#include <istream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/text/json_builder.hpp"
#include "results/record/json/record_rules.hpp"

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
class DocumentWithList : public core::OrderedJsonBuilder {
 public:
  DocumentWithList(std::string_view list, const JsonElementSink& take) : list_name_(list), take_(take) {}

  bool start_array(std::size_t size) override {
    const bool is_list = depth() == 1 && next_is_list_;
    OrderedJsonBuilder::start_array(size);
    if (is_list) list_ = innermost();
    return true;
  }
  bool end_array() override {
    if (innermost() == list_) list_ = nullptr;
    return OrderedJsonBuilder::end_array();
  }
  bool key(string_t& name) override {
    if (depth() == 1) next_is_list_ = name == list_name_;
    return OrderedJsonBuilder::key(name);
  }

 private:
  bool key_again(const std::string& name) override { throw key_twice(name); }
  bool completed() override {
    if (list_ == nullptr || innermost() != list_) return true;
    take_(list_->back());
    list_->clear();
    return true;
  }

  std::string_view list_name_;
  const JsonElementSink& take_;
  Json* list_ = nullptr;  // while it is open
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
