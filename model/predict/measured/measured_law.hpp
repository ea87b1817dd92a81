// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of one collective among numbers of processors that were not measured, by the law over ranks that
// `assay fit collectives` fitted to those that were.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/fit/laws/rank_law.hpp"
#include "model/predict/measured/measured_collective.hpp"

namespace assay::model {

class MeasuredLaw {
 public:
  using Part = fit::Coefficient fit::RankRegime::*;

  /// One algorithm at least, each with its law.
  MeasuredLaw(MeasuredCollective::Origin origin, std::vector<fit::RankLaw> algorithms)
      : origin_(std::move(origin)), algorithms_(std::move(algorithms)) {}

  /// Seconds among 2 or more, of the algorithm that is the fastest there.
  double seconds(double bytes, double members) const;

  /// The whole law among one number of members.
  std::shared_ptr<const MeasuredCollective> among(double members) const;
  /// "law over ranks (ring), measured 2 4 8".
  std::string text() const;
  /// How far these members are from those measured, and how far off the law is at ranks left out.
  std::string doubt(double members) const;
  const MeasuredCollective::Origin& origin() const { return origin_; }
  /// The law of the first algorithm, to show.
  const fit::RankLaw& first() const { return algorithms_.front(); }

  /// A copy with this coefficient of every regime at an end of its interval.
  MeasuredLaw moved(Part part, End end) const;

 private:
  MeasuredCollective::Origin origin_;
  std::vector<fit::RankLaw> algorithms_;
};

}  // namespace assay::model
