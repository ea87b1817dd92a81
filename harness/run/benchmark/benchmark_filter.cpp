// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/benchmark/benchmark_filter.hpp"

#include <fmt/format.h>

#include <array>

#include "harness/core/error.hpp"

namespace assay::run {
namespace {

struct FreeExpression {
  void operator()(regex_t* expression) const {
    regfree(expression);
    delete expression;
  }
};

std::shared_ptr<const regex_t> compile(const std::string& expression) {
  auto compiled = std::make_unique<regex_t>();
  if (const int code = regcomp(compiled.get(), expression.c_str(), REG_EXTENDED | REG_NOSUB); code != 0) {
    std::array<char, 200> why{};
    regerror(code, compiled.get(), why.data(), why.size());
    core::usage_error(
        fmt::format("--benchmark_filter '{}': expected a POSIX extended regular expression ({})", expression,
                    why.data()));
  }
  return {compiled.release(), FreeExpression()};
}

}  // namespace

std::string benchmark_name(const plan::PlannedPoint& planned) {
  const std::string suffix = planned.repetition == 0 ? "" : fmt::format("#{}", planned.repetition);
  return fmt::format("{}/{}{}", planned.benchmark->name, planned.point.key(), suffix);
}

BenchmarkFilter::BenchmarkFilter(const std::string& expression) {
  if (expression.empty() || expression == "all") return;
  excludes_ = expression.starts_with('-');
  compiled_ = compile(expression.substr(excludes_ ? 1 : 0));
}

bool BenchmarkFilter::finds(const std::string& name) const {
  return regexec(compiled_.get(), name.c_str(), 0, nullptr, 0) == 0;
}

bool BenchmarkFilter::takes(const plan::PlannedPoint& planned) const {
  if (!compiled_) return true;
  const std::string name = benchmark_name(planned);
  return (finds(name) || finds(name + "/iterations:1/manual_time")) != excludes_;
}

}  // namespace assay::run
