// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay.read: the runs and points of a store as columns.
#include <pybind11/numpy.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "harness/front/answers/open_store.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "model/python/binding.hpp"
#include "results/store/stored_points.hpp"
#include "results/store/stored_records.hpp"

namespace assay::python {
namespace {

namespace py = pybind11;
using results::StoredPoint;
using results::StoredRun;

/// One column of any kind: what `of` has of each.
template <class Thing, class Of>
py::list list_of(std::span<const Thing> things, const Of& of) {
  py::list values;
  for (const Thing& thing : things) values.append(of(thing));
  return values;
}

template <class Thing, class Of>
auto array_of(std::span<const Thing> things, const Of& of) {
  using Value = decltype(of(things.front()));
  py::array_t<Value> values(static_cast<py::ssize_t>(things.size()));
  Value* at = values.mutable_data();
  for (const Thing& thing : things) *at++ = of(thing);
  return values;
}

double or_nan(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

py::object scalar(const results::Scalar* value) {
  if (value == nullptr) return py::none();
  return std::visit([](const auto& one) -> py::object { return py::cast(one); }, *value);
}

/// Every axis that a point has, in the order of first appearance; None where a point lacks it.
void add_axes(std::span<const StoredPoint> points, py::dict& columns) {
  std::vector<std::string> names;
  for (const StoredPoint& point : points)
    for (const auto& [name, value] : point.axes)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  for (const std::string& name : names)
    columns[py::str("axis." + name)] =
        list_of(points, [&](const StoredPoint& point) { return scalar(results::find(point.axes, name)); });
}

/// Origins of runs, indexed by the process that measured a point.
using Origins = std::map<std::int64_t, std::string>;

Origins origins_of(const results::Store& store, const StoredRun& run) {
  Origins origins;
  for (const auto& [process, context] : contexts_by_process(store, run))
    origins[process] = to_string(context.origin);
  return origins;
}

py::dict columns_of(std::span<const StoredPoint> points, const Origins& origins) {
  py::dict columns;
  columns["id"] = array_of(points, [](const StoredPoint& of) { return of.id; });
  columns["case"] = list_of(points, [](const StoredPoint& of) { return of.case_name; });
  columns["point"] = list_of(points, [](const StoredPoint& of) { return of.key; });
  columns["repetition"] = array_of(points, [](const StoredPoint& of) { return of.repetition; });
  columns["status"] = list_of(points, [](const StoredPoint& of) { return to_string(of.status); });
  columns["reason"] = list_of(points, [](const StoredPoint& of) { return of.reason; });
  columns["metric"] = list_of(points, [](const StoredPoint& of) { return of.metric; });
  columns["unit"] = list_of(points, [](const StoredPoint& of) { return of.unit; });
  const auto number = [&](const char* name, auto of) { columns[name] = array_of(points, of); };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  number("value", [](const StoredPoint& of) { return of.metric.empty() ? nan : of.headline.value; });
  number("lower", [](const StoredPoint& of) { return or_nan(of.headline.lower); });
  number("upper", [](const StoredPoint& of) { return or_nan(of.headline.upper); });
  number("efficiency", [](const StoredPoint& of) { return of.efficiency ? of.efficiency->value : nan; });
  number("n", [](const StoredPoint& of) { return of.n; });
  number("time_s", [](const StoredPoint& of) { return of.n > 0 ? of.time_s : nan; });
  number("time_lower_s", [](const StoredPoint& of) { return of.n > 0 ? of.lower_s : nan; });
  number("time_upper_s", [](const StoredPoint& of) { return of.n > 0 ? of.upper_s : nan; });
  number("work_bytes", [](const StoredPoint& of) { return of.work_bytes; });
  number("work_flops", [](const StoredPoint& of) { return of.work_flops; });
  columns["stop"] = list_of(points, [](const StoredPoint& of) { return of.stop; });
  number("drifting", [](const StoredPoint& of) { return of.drifting; });
  columns["origin"] = list_of(points, [&](const StoredPoint& of) {
    const auto origin = origins.find(of.process);
    return origin == origins.end() ? std::string("origin unknown") : origin->second;
  });
  add_axes(points, columns);
  return columns;
}

py::dict points(const std::string& path, const std::string& run, const std::string& filter,
                std::int64_t limit) {
  std::vector<StoredPoint> found;
  Origins origins;
  {
    const py::gil_scoped_release unlocked;
    answers::or_bad_input([&] {
      const results::Store store = answers::open_existing_store(path);
      const StoredRun of = results::find_run(store, run == "latest" ? std::string() : run);
      found = points_in_order(store, of, filter, limit);
      origins = origins_of(store, of);
    });
  }
  return columns_of(found, origins);
}

py::dict runs(const std::string& path) {
  const results::Store store = answers::open_existing_store(path);
  const std::vector<StoredRun> all = answers::or_bad_input([&] { return results::all_runs(store); });
  const std::span<const StoredRun> rows = all;
  py::dict columns;
  columns["run"] = list_of(rows, [](const StoredRun& of) { return of.run_id; });
  columns["started"] = list_of(rows, [](const StoredRun& of) { return of.started; });
  columns["origin"] = list_of(rows, [&](const StoredRun& of) { return results::origin_of(store, of); });
  columns["points"] = array_of(rows, [](const StoredRun& of) { return of.points(); });
  columns["ok"] = array_of(rows, [](const StoredRun& of) { return of.ok; });
  columns["unsupported"] = array_of(rows, [](const StoredRun& of) { return of.unsupported; });
  columns["failed"] = array_of(rows, [](const StoredRun& of) { return of.failed; });
  columns["wrong"] = array_of(rows, [](const StoredRun& of) { return of.wrong; });
  columns["timeout"] = array_of(rows, [](const StoredRun& of) { return of.timeout; });
  return columns;
}

py::array_t<double> samples(const std::string& path, std::int64_t point) {
  const results::Store store = answers::open_existing_store(path);
  const std::vector<double> all = answers::or_bad_input([&] { return results::samples_of(store, point); });
  return py::array_t<double>(static_cast<py::ssize_t>(all.size()), all.data());
}

}  // namespace

void bind_store(py::module_& module) {
  module.def("store_points", &points);
  module.def("store_runs", &runs);
  module.def("store_samples", &samples);
}

}  // namespace assay::python
