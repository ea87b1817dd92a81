// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measured products in a search: the same few shapes come again in thousands of block choices, and a fitted
// time takes hundreds of trees.
#pragma once

#include "model/search/space.hpp"

namespace assay::model {

/// Returns the question with a system that works out the time of each shape once. For one thread.
Question with_remembered_products(Question question);

}  // namespace assay::model
