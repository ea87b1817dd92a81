// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Gradients of the backward pass against differences of the loss.
#include "collectives/training/language_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "collectives/training/tests/plain_products.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::collectives {
namespace {

constexpr ModelShape small{
    .layers = 2, .hidden = 16, .sequence = 6, .sequences = 2, .head = 8, .vocabulary = 12};

class Gradients : public testing::Test {
 protected:
  Gradients() {
    initialise(small, 3, weights_.all());
    // Numbers of order one, so that every tensor matters.
    for (const TensorPlan& plan : planned_tensors(small))
      if (plan.deviation < 0.1 && plan.deviation > 0)
        for (float& one : tensor(weights_, plan)) one *= 4;
    model_.forward(weight_tensors_, batch_);
    model_.backward(weight_tensors_, batch_, tensors_in(small, gradients_.all()));
  }

  static std::span<float> tensor(AlignedFloats& of, const TensorPlan& plan) {
    return of.all().subspan(static_cast<std::size_t>(plan.first), static_cast<std::size_t>(plan.count()));
  }
  double loss_at(std::span<float> tensor, const std::vector<float>& direction, double distance) {
    const std::vector<float> before(tensor.begin(), tensor.end());
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor[i] += static_cast<float>(distance) * direction[i];
    const double loss = model_.forward(weight_tensors_, batch_);
    std::ranges::copy(before, tensor.begin());
    return loss;
  }
  double slope(std::span<float> tensor, const std::vector<float>& direction) {
    constexpr double distance = 5e-3;
    return (loss_at(tensor, direction, distance) - loss_at(tensor, direction, -distance)) / (2 * distance);
  }

  PlainProducts products_{small};
  LanguageModel model_{small, products_};
  TokenBatch batch_ = token_batch(small, 0, 0);
  AlignedFloats weights_{parameter_elements(small)}, gradients_{parameter_elements(small)};
  ModelTensors weight_tensors_ = tensors_in(small, weights_.all());
};

std::vector<float> scaled(std::span<const float> direction, double length) {
  std::vector<float> unit(direction.begin(), direction.end());
  for (float& one : unit) one /= static_cast<float>(length);
  return unit;
}

double length_of(std::span<const float> vector) {
  double squares = 0;
  for (const float one : vector) squares += static_cast<double>(one) * static_cast<double>(one);
  return std::sqrt(squares);
}

TEST_F(Gradients, OfEveryTensorAreTheSlopeOfTheLossAlongThem) {
  for (const TensorPlan& plan : planned_tensors(small)) {
    const std::span<float> gradient = tensor(gradients_, plan);
    const double length = length_of(gradient);
    ASSERT_GT(length, 1e-3) << plan.name;
    EXPECT_NEAR(slope(tensor(weights_, plan), scaled(gradient, length)), length, 0.01 * length) << plan.name;
  }
}

TEST_F(Gradients, OfEveryTensorAreTheSlopeAlongAnyDirection) {
  for (const TensorPlan& plan : planned_tensors(small)) {
    const std::span<float> gradient = tensor(gradients_, plan);
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      std::vector<float> direction;
      for (std::size_t i = 0; i < gradient.size(); ++i)
        direction.push_back((integrity::random_number(seed, i) & 1U) != 0 ? 1.0F : -1.0F);
      direction = scaled(direction, length_of(direction));
      const double along = std::inner_product(direction.begin(), direction.end(), gradient.begin(), 0.0);
      EXPECT_NEAR(slope(tensor(weights_, plan), direction), along, 0.003 * length_of(gradient)) << plan.name;
    }
  }
}

TEST_F(Gradients, OfElementsAreTheSlopeAlongThem) {
  for (const TensorPlan& plan : planned_tensors(small)) {
    const std::span<float> gradient = tensor(gradients_, plan);
    for (std::size_t place = 0; place < gradient.size(); place += 1 + gradient.size() / 8) {
      std::vector<float> direction(gradient.size());
      direction[place] = 1;
      EXPECT_NEAR(slope(tensor(weights_, plan), direction), gradient[place], 0.003 * length_of(gradient))
          << plan.name << " " << place;
    }
  }
}

TEST(CausalSoftmax, GivesEachTokenShareOfItselfAndThoseBefore) {
  std::vector<float> scores{1, 9, 9, 1, 1, 9, 1, 1, 1};
  causal_softmax(scores, 3, 1);
  const float third = 1.0F / 3;
  EXPECT_EQ(scores, (std::vector<float>{1, 0, 0, 0.5, 0.5, 0, third, third, third}));
}

}  // namespace
}  // namespace assay::collectives
