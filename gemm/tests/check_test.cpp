// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A right product passes; every planted fault is found.
#include "gemm/check/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

namespace assay::gemm {
namespace {

using Result = core::Verification::Result;

/// A product computed the slow way from operands laid out in memory, as a library would see them.
class Product {
 public:
  Product(const Problem& problem, Data data) : problem_(problem), data_(data) {
    const Recipes pair = recipes(problem, data, 0);
    const auto a = laid_out(pair.a, problem.a_elements()), b = laid_out(pair.b, problem.b_elements());
    const double scale = problem.dtype == Dtype::fp8_e4m3 ? pair.a.scale * pair.b.scale : 1.0;
    output_.resize(static_cast<std::size_t>(problem.output_bytes()));
    for (std::int64_t row = 0; row < problem.rows(); ++row)
      for (std::int64_t j = 0; j < problem.n; ++j) {
        const std::int64_t product = row / problem.m, i = row % problem.m;
        const double *first_a = &a[static_cast<std::size_t>(product * problem.m * problem.k)],
                     *first_b = &b[static_cast<std::size_t>(product * problem.k * problem.n)];
        double sum = 0;
        for (std::int64_t k = 0; k < problem.k; ++k)
          sum += first_a[problem.a_is_transposed() ? k * problem.m + i : i * problem.k + k] *
                 first_b[problem.b_is_transposed() ? j * problem.k + k : k * problem.n + j];
        const double c = decode(Dtype::fp32, operand_element(pair.c, normal_table().data(),
                                                             static_cast<std::uint64_t>(row * problem.n + j))
                                                 .bits);
        set(row, j, sum / scale + (problem.accumulate ? c : 0));
      }
  }

  void set(std::int64_t i, std::int64_t j, double value) { set_bits(i, j, encode(problem_.output(), value)); }
  void set_bits(std::int64_t i, std::int64_t j, std::uint64_t bits) { std::memcpy(at(i, j), &bits, width()); }
  void flip(std::int64_t i, std::int64_t j, int bit) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at(i, j), width());
    set_bits(i, j, bits ^ (std::uint64_t{1} << bit));
  }
  void copy(std::int64_t to, std::int64_t from, std::int64_t j) {
    std::memcpy(at(to, j), at(from, j), width());
  }
  OutputSummary summary() const { return summarize(problem_, output_.data(), 2); }
  core::Verification check() const {
    std::vector<OutputRow> rows;
    for (const std::int64_t row : rows_to_sample(problem_))
      rows.push_back(read_row(problem_, output_.data(), row));
    return gemm::check(problem_, data_, 0, summary(), rows, 2);
  }

 private:
  static std::vector<double> laid_out(const OperandRecipe& recipe, std::int64_t count) {
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < count; ++i)
      numbers.push_back(decode(
          recipe.dtype, operand_element(recipe, normal_table().data(), static_cast<std::uint64_t>(i)).bits));
    return numbers;
  }
  std::size_t width() const { return static_cast<std::size_t>(element_bytes(problem_.output())); }
  std::byte* at(std::int64_t i, std::int64_t j) {
    return output_.data() + static_cast<std::size_t>(i * problem_.n + j) * width();
  }

  Problem problem_;
  Data data_;
  std::vector<std::byte> output_;
};

constexpr Problem small(Dtype dtype, Pass pass = Pass::forward) {
  return {.m = 48, .n = 80, .k = 96, .dtype = dtype, .pass = pass};
}

TEST(Check, RightProductsPassInEveryTypeLayoutAndPattern) {
  for (const std::string& dtype : all_dtypes())
    for (const std::string& pass : all_passes())
      for (const std::string& data : all_data()) {
        const Product product(small(dtype_from(dtype), pass_from(pass)), data_from(data));
        const auto verdict = product.check();
        EXPECT_EQ(verdict.result, Result::right)
            << dtype << ' ' << pass << ' ' << data << ": " << verdict.why;
      }
}

TEST(Check, EveryProductOfABatchIsCheckedWithItsOwnOperands) {
  for (const Data data : {Data::integer, Data::normal})
    for (const Pass pass : {Pass::forward, Pass::dgrad, Pass::wgrad}) {
      Problem problem = small(Dtype::bf16, pass);
      problem.batch = 3;
      problem.accumulate = pass == Pass::wgrad;
      const Product right(problem, data);
      EXPECT_EQ(right.check().result, Result::right) << right.check().why;
      Product repeated = right;  // the last product is once more the first, as with a stride of 0
      for (std::int64_t i = 0; i < problem.m; ++i)
        for (std::int64_t j = 0; j < problem.n; ++j) repeated.copy(2 * problem.m + i, i, j);
      EXPECT_EQ(repeated.check().result, Result::wrong) << to_string(data) << ' ' << to_string(pass);
    }
}

TEST(Check, WrongElementOfABatchNamesItsProduct) {
  Problem problem = small(Dtype::fp32);
  problem.batch = 4;
  Product product(problem, Data::normal);
  product.set(rows_to_sample(problem)[5], 0, 1e6);  // row 15 of the second product
  EXPECT_NE(product.check().why.find(": (15, 0) of product 1 is 1000000, expected"), std::string::npos)
      << product.check().why;
}

TEST(Check, ProductAddedToAnotherMatrixIsCheckedWithIt) {
  for (const Data data : {Data::integer, Data::normal}) {
    Problem problem = small(Dtype::bf16, Pass::wgrad);
    const Product alone(problem, data);
    problem.accumulate = true;
    Product added(problem, data);
    EXPECT_EQ(added.check().result, Result::right) << added.check().why;
    EXPECT_NE(added.check().digest, alone.check().digest);
    EXPECT_EQ(check(problem, Data::integer, 0, alone.summary(), {}, 1).result, Result::wrong);
    added.set(0, 0, 1e6);
    EXPECT_EQ(added.check().result, Result::wrong);
  }
}

TEST(Check, EverySingleBitFlippedAnywhereIsFoundInExactData) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::fp16, Dtype::fp32, Dtype::int8}) {
    const Product right(small(dtype), Data::integer);
    const int bits = static_cast<int>(8 * element_bytes(small(dtype).output()));
    for (int bit = 0; bit < bits; ++bit) {
      Product faulty = right;
      faulty.flip(7 + bit % 5, (13 * bit) % 80, bit);
      // Only a flipped sign of zero leaves the same number.
      const bool same =
          faulty.summary().not_whole == 0 && faulty.summary().row_checksums == right.summary().row_checksums;
      EXPECT_EQ(faulty.check().result, same ? Result::right : Result::wrong)
          << to_string(dtype) << " bit " << bit;
      EXPECT_TRUE(!same || bit == bits - 1) << to_string(dtype) << " bit " << bit;
      EXPECT_NE(faulty.check().digest, right.check().digest) << "the digest sees even the sign of zero";
    }
  }
}

TEST(Check, FlippedBitNamesItsRow) {
  Product product(small(Dtype::int8), Data::integer);
  product.flip(31, 5, 0);
  EXPECT_EQ(product.check().why, "1 of 48 rows differ from the exact product: rows 31");
}

TEST(Check, NanNeverPasses) {
  for (const Data data : {Data::integer, Data::normal, Data::zeros}) {
    Product product(small(Dtype::bf16), data);
    product.set(47, 79, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(product.check().result, Result::wrong) << to_string(data);
  }
  Product product(small(Dtype::bf16), Data::normal);
  product.set(1, 1, std::numeric_limits<double>::infinity());
  EXPECT_EQ(product.check().why, "1 of 3840 elements are not finite");
}

TEST(Check, MissingTileIsFound) {
  for (const Data data : {Data::integer, Data::normal, Data::uniform, Data::constant}) {
    Product product(small(Dtype::bf16), data);
    for (std::int64_t i = 16; i < 32; ++i)
      for (std::int64_t j = 32; j < 64; ++j) product.set(i, j, 0);
    EXPECT_EQ(product.check().result, Result::wrong) << to_string(data);
  }
}

TEST(Check, SwappedRowsAreFound) {
  Product product(small(Dtype::fp32), Data::integer);
  const Product right = product;
  const auto sums = right.summary().row_checksums;
  ASSERT_NE(sums[3], sums[4]);
  OutputSummary swapped = right.summary();
  std::swap(swapped.row_checksums[3], swapped.row_checksums[4]);
  EXPECT_EQ(check(small(Dtype::fp32), Data::integer, 0, swapped, {}, 1).result, Result::wrong);
}

TEST(Check, ResultOfOtherOperandsIsFound) {
  const Product product(small(Dtype::bf16), Data::normal);
  const Product other(small(Dtype::bf16, Pass::dgrad), Data::normal);
  EXPECT_NE(product.check().digest, other.check().digest);
  EXPECT_EQ(
      check(small(Dtype::int8), Data::integer, 1, Product(small(Dtype::int8), Data::integer).summary(), {}, 1)
          .result,
      Result::wrong);
}

TEST(Check, SmallRelativeErrorInNormalDataIsFoundWhereItIsSampled) {
  Product product(small(Dtype::fp32), Data::normal);
  product.set(0, 0, 1000.0);
  const auto verdict = product.check();
  EXPECT_EQ(verdict.result, Result::wrong);
  EXPECT_EQ(verdict.why.rfind("1 of 512 sampled elements are wrong: (0, 0) is 1000, expected ", 0), 0u)
      << verdict.why;
}

TEST(Digest, DoesNotDependOnTheNumberOfThreads) {
  const Problem problem = small(Dtype::bf16);
  std::vector<std::byte> output(static_cast<std::size_t>(problem.output_bytes()));
  for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<std::byte>(i * 37);
  EXPECT_EQ(summarize(problem, output.data(), 1).digest, summarize(problem, output.data(), 5).digest);
  EXPECT_EQ(to_text(Digest{1, 2}), "00000000000000020000000000000001");
}

TEST(RowsToSample, AreSpreadEvenly) {
  EXPECT_EQ(rows_to_sample({.m = 3}), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(rows_to_sample({.m = 1600}, 4), (std::vector<std::int64_t>{0, 400, 800, 1200}));
  EXPECT_EQ(rows_to_sample({.m = 1600, .batch = 4}, 4), (std::vector<std::int64_t>{0, 2000, 4000, 6000}))
      << "of every product, and another row of each";
  EXPECT_EQ(rows_to_sample({.m = 1, .batch = 2}), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(rows_to_sample({.m = 2, .batch = 2}), (std::vector<std::int64_t>{0, 3})) << "no row twice";
}

}  // namespace
}  // namespace assay::gemm
