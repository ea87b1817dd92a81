// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives over size: the contenders, and who wins.
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

struct Lists {
  Json points = Json::array(), wins = Json::array(), reigns = Json::array(), regrets = Json::array();
};

void add_contest(Lists& lists, const std::string& series, std::int64_t bytes, const Contest& contest) {
  for (const CollectivePoint& point : contest.fields)
    lists.points.push_back(chart::point_of(point.point, point.contender(), series, bytes, point.time_us()));
  lists.wins.push_back({{"series", series},
                        {"kernel", contest.winner().contender()},
                        {"bytes", bytes},
                        {"decided", contest.decided()}});
  if (const auto regret = contest.regret()) {
    Json object{{"series", series}, {"kernel", contest.library()->contender()}, {"bytes", bytes}};
    chart::put(object, *regret);
    lists.regrets.push_back(std::move(object));
  }
}

}  // namespace

Json crossover_chart(const std::vector<Crossover>& crossovers) {
  const chart::Series series(axes_of(crossovers), {});
  Lists lists;
  for (const Crossover& one : crossovers) {
    const std::string name = chart::joined_parts(one.name(), series.name_of(one.axes));
    for (const auto& [bytes, contest] : one.contests) add_contest(lists, name, bytes, contest);
    for (const Reign& reign : one.reigns())
      lists.reigns.push_back(
          {{"series", name}, {"kernel", reign.contender}, {"first", reign.first}, {"last", reign.last}});
  }
  return {{"points", lists.points},
          {"same", series.same()},
          {"wins", lists.wins},
          {"reigns", lists.reigns},
          {"regrets", lists.regrets}};
}

}  // namespace assay::results
