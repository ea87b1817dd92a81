// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/measured_use.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace assay::model {
namespace {

using fit::GemmShape;

// Sizes are products of whole numbers and shares of them: what differs by less is the same size.
constexpr double rounding = 1e-9;

bool below(double size, double bound) { return size < bound * (1 - rounding); }
bool above(double size, double bound) { return size > bound * (1 + rounding); }

std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  for (; bytes >= 1e4 && unit + 1 < units.size(); ++unit) bytes /= 1e3;
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

std::string range_text(const std::vector<double>& ascending) {
  const std::string first = bytes_text(ascending.front());
  return ascending.size() == 1 ? first : fmt::format("{} to {}", first, bytes_text(ascending.back()));
}

std::string range_text(const std::set<double>& sizes) {
  const auto [least, most] = std::pair(*sizes.begin(), *sizes.rbegin());
  return least == most ? fmt::format("{:.0f}", least) : fmt::format("{:.0f} to {:.0f}", least, most);
}

std::string interval(const fit::Coefficient& of) {
  return fmt::format("{} ({:.4g}, 95 % interval {:.4g} to {:.4g})", of.name, of.value, of.lower, of.upper);
}

std::string machine_text(const std::string& machine) {
  return machine.empty() ? "a machine without a name" : fmt::format("'{}'", machine);
}

std::string operation_text(const MeasuredUse::Place& place) {
  return fmt::format("{} among {}", collective_names[static_cast<std::size_t>(place.operation)],
                     place.members);
}

/// Warnings as they are found.
class Doubts {
 public:
  void look(const MeasuredUse::Place& place, const MeasuredUse::AskedCollective& asked) {
    const std::string name = fmt::format("{}: network {}, {}", place.path, place.tier, operation_text(place));
    look_beyond(name, asked, *asked.source);
    look_at_segments(name, asked, *asked.source);
    const auto& [path, machine, system] = asked.source->origin();
    machines_[machine].insert(path);
    systems_[path].try_emplace(system, operation_text(place));
  }

  void look(const std::string& name, const MeasuredUse::AskedVector& asked) {
    look_beyond(name, asked, *asked.source);
    look_at_segments(name, asked, *asked.source);
    std::vector<double> rows;
    std::ranges::copy_if(asked.rows, std::back_inserter(rows), [&](double row) {
      return below(row, asked.measured_row / 4) || above(row, asked.measured_row * 4);
    });
    if (!rows.empty())
      lines_.push_back(fmt::format("{}: rows of {} elements asked, where {:.0f} was measured", name,
                                   range_text(std::set(rows.begin(), rows.end())), asked.measured_row));
    machines_[asked.source->machine].insert(asked.source->path);
  }

  void look(const MeasuredUse::Place& place, const MeasuredLaw& law, const std::set<double>& sizes) {
    lines_.push_back(fmt::format("{}: network {}, {}: {}", place.path, place.tier, operation_text(place),
                                 law.doubt(place.members)));
    look(place, {.source = law.among(place.members), .sizes = sizes});
  }

  void look(const MeasuredUse::AskedProducts& asked) {
    const MeasuredProducts& source = *asked.source;
    const bool weights = asked.group == &source;
    const std::string name =
        fmt::format("{}: {}, {}", source.path, weights ? "products with weights" : "attention's products",
                    asked.group->group);
    look_beyond(name, asked);
    for (const fit::Coefficient& of : asked.group->model.coefficients)
      if (!of.supported)
        lines_.push_back(fmt::format("{}: its rows do not determine {}", name, interval(of)));
    machines_[source.machine].insert(source.path);
  }

  std::vector<std::string> all() && {
    if (machines_.size() > 1) {
      std::vector<std::string> files;
      for (const auto& [machine, paths] : machines_)
        files.push_back(fmt::format("{} ({})", machine_text(machine), fmt::join(paths, ", ")));
      lines_.push_back(
          fmt::format("measured times of {} machines in one step: {}", files.size(), fmt::join(files, ", ")));
    }
    for (const auto& [path, systems] : systems_) {
      if (systems.size() == 1) continue;
      std::vector<std::string> of;
      for (const auto& [system, operation] : systems)
        of.push_back(fmt::format("'{}' ({})", system, operation));
      lines_.push_back(fmt::format("{}: measured times of {} systems in one step: {}", path, of.size(),
                                   fmt::join(of, ", ")));
    }
    return std::move(lines_);
  }

 private:
  /// `source`: a measured collective or vector kernel.
  template <class Asked, class Source>
  void look_beyond(const std::string& name, const Asked& asked, const Source& source) {
    const double from = source.from_bytes(), to = source.to_bytes();
    std::vector<double> outside;
    std::ranges::copy_if(asked.sizes, std::back_inserter(outside),
                         [&](double size) { return below(size, from) || above(size, to); });
    if (!outside.empty())
      lines_.push_back(fmt::format("{}: {} asked, beyond the {} to {} measured: extrapolated by the fit",
                                   name, range_text(outside), bytes_text(from), bytes_text(to)));
  }

  template <class Asked, class Source>
  void look_at_segments(const std::string& name, const Asked& asked, const Source& source) {
    std::vector<std::pair<const fit::Segment*, std::vector<double>>> sizes;
    for (const double size : asked.sizes) {
      const fit::Segment* segment = &source.segment(size);
      if (sizes.empty() || sizes.back().first != segment) sizes.push_back({segment, {}});
      sizes.back().second.push_back(size);
    }
    for (const auto& [segment, own] : sizes) {
      std::vector<std::string> unsupported;
      for (const fit::Coefficient* of : {&segment->latency, &segment->bandwidth})
        if (!of->supported) unsupported.push_back(interval(*of));
      if (!unsupported.empty())
        lines_.push_back(fmt::format("{}: {} asked; the {} rows from {} to {} do not determine {}", name,
                                     range_text(own), segment->rows, bytes_text(segment->from_bytes),
                                     bytes_text(segment->to_bytes), fmt::join(unsupported, " and ")));
    }
  }

  void look_beyond(const std::string& name, const MeasuredUse::AskedProducts& asked) {
    if (!asked.group->model.measured) {
      lines_.push_back(fmt::format(
          "{}: the file does not say which shapes were measured; a newer assay fit writes it", name));
      return;
    }
    const auto& [least, most] = *asked.group->model.measured;
    const std::array low{least.m, least.n, least.k, least.batch}, high{most.m, most.n, most.k, most.batch};
    constexpr std::array names{"m", "n", "k", "batch"};
    std::array<std::set<double>, 4> outside;
    std::size_t shapes = 0;
    for (const auto& shape : asked.shapes) {
      bool is_outside = false;
      for (std::size_t i = 0; i < shape.size(); ++i)
        if (below(shape[i], low[i]) || above(shape[i], high[i]))
          outside[i].insert(shape[i]), is_outside = true;
      shapes += is_outside ? 1 : 0;
    }
    if (shapes == 0) return;
    std::vector<std::string> sides;
    for (std::size_t i = 0; i < outside.size(); ++i)
      if (!outside[i].empty())
        sides.push_back(fmt::format("{} of {}, where {:.0f} to {:.0f} was measured", names[i],
                                    range_text(outside[i]), low[i], high[i]));
    lines_.push_back(
        fmt::format("{}: {} of {} shapes are beyond those measured, extrapolated by the formula: {}", name,
                    shapes, asked.shapes.size(), fmt::join(sides, "; ")));
  }

  std::vector<std::string> lines_;
  std::map<std::string, std::set<std::string>> machines_;              // files of each
  std::map<std::string, std::map<std::string, std::string>> systems_;  // of each file, with an operation
};

}  // namespace

MeasuredUse::AskedProducts& MeasuredUse::ask_of(const std::shared_ptr<const MeasuredProducts>& source,
                                                const MeasuredGroup& group) {
  AskedProducts& found = products_[{source->path, group.group}];
  found.source = source;
  found.group = &group;
  return found;
}

void MeasuredUse::watch_products(System& system) {
  const auto source = system.products;
  if (!source) return;
  AskedProducts& weights = ask_of(source, *source);
  system.matmul_s = [&weights, seconds = system.matmul_s](const MatmulShape& shape) {
    weights.shapes.insert({shape.m, shape.n, shape.k, 1});
    return seconds(shape);
  };
  if (system.attention_s)
    system.attention_s = [this, source, seconds = system.attention_s](AttentionProduct which, double count,
                                                                      const MatmulShape& shape) {
      ask_of(source, source->attention[static_cast<std::size_t>(which)])
          .shapes.insert({shape.m, shape.n, shape.k, count});
      return seconds(which, count, shape);
    };
}

void MeasuredUse::watch_vectors(System& system) {
  for (VectorCurve& curve : system.vectors) {
    if (!curve.source) continue;
    AskedVector& asked = vectors_[curve.source->path + ": " + curve.source->name];
    asked.source = curve.source;
    asked.measured_row = curve.row;
    curve.seconds = [&asked, seconds = curve.seconds](const VectorCall& call) {
      asked.sizes.insert(call.bytes);
      if (call.row > 0) asked.rows.insert(call.row);
      return seconds(call);
    };
  }
}

void MeasuredUse::watch_networks(System& system) {
  for (std::size_t tier = 0; tier < system.networks.size(); ++tier)
    for (CollectiveLaw& law : system.networks[tier].laws) {
      if (!law.source) continue;
      AskedLaw& asked = laws_[{tier, law.operation, law.source->origin().path}];
      if (!asked.source) asked.source = law.source;  // the first is taken
      law.seconds = [&asked, seconds = law.seconds](double bytes, double members) {
        asked.sizes[members].insert(bytes);
        return seconds(bytes, members);
      };
    }
  for (std::size_t tier = 0; tier < system.networks.size(); ++tier)
    for (CollectiveCurve& curve : system.networks[tier].curves) {
      if (!curve.source) continue;
      AskedCollective& asked =
          collectives_[{tier, curve.operation, curve.members, curve.source->origin().path}];
      if (!asked.source) asked.source = curve.source;
      curve.seconds = [&asked, seconds = curve.seconds](double bytes) {
        asked.sizes.insert(bytes);
        return seconds(bytes);
      };
    }
}

void MeasuredUse::add(const Configuration& configuration) {
  Configuration watched = configuration;
  watch_products(watched.system);
  watch_vectors(watched.system);
  watch_networks(watched.system);
  predict(watched);
}

std::vector<std::string> MeasuredUse::warnings() const {
  Doubts doubts;
  for (const auto& [place, asked] : products_)
    if (!asked.shapes.empty()) doubts.look(asked);
  for (const auto& [name, asked] : vectors_)
    if (!asked.sizes.empty()) doubts.look(name, asked);
  for (const auto& [place, asked] : collectives_)
    if (!asked.sizes.empty()) doubts.look(place, asked);
  for (const auto& [key, asked] : laws_)
    for (const auto& [members, sizes] : asked.sizes)
      doubts.look({std::get<0>(key), std::get<1>(key), members, std::get<2>(key)}, *asked.source, sizes);
  return std::move(doubts).all();
}

std::vector<std::string> warnings(const Configuration& configuration) {
  MeasuredUse use;
  use.add(configuration);
  return use.warnings();
}

}  // namespace assay::model
