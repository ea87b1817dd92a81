// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/locate_answer.hpp"

#include "harness/core/error.hpp"
#include "harness/front/answers/fabric/addressed_routing.hpp"
#include "harness/front/answers/fabric/located_pairs.hpp"
#include "harness/front/answers/fabric/stored_pairs.hpp"
#include "harness/front/answers/open_store.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::answers {

namespace fabric = model::fabric;
namespace locating = model::fabric::locate;
namespace site = model::fabric::site;

namespace {

locating::MeasuredPairs pairs_of(const LocateQuestion& question, const fabric::FabricFile& file,
                                 const fabric::Topology& topology, const locating::NodeNames& names) {
  if (question.pairs.empty() == question.store.empty())
    core::usage_error("expected either --pairs FILE or --store FILE");
  if (!question.pairs.empty()) return locating::read_pairs(question.pairs, topology, names);
  const std::optional<std::string> run = question.run.empty() ? std::nullopt : std::optional(question.run);
  const results::Store store = open_existing_store(question.store);
  const bool sent_in_pairs =
      !question.cases.starts_with("collectives.") || question.cases == "collectives.nccl.send_receive";
  if (sent_in_pairs && is_of_imported_pairs(store, run))
    return imported_pairs(store, run, question.cases, names);
  if (question.cases.starts_with("collectives."))
    return stored_collectives(store, run, question.cases, file, topology, names);
  return stored_pairs(store, run, question.cases, topology, names);
}

}  // namespace

LocateAnswer locate(const LocateQuestion& question) {
  const fabric::FabricFile file = read_fabric(question.fabric, fabric::key_values(question.set, "--set"));
  const auto topology =
      question.topology.empty() ? std::nullopt : std::optional(results::EvidenceFile{question.topology});
  const site::SiteFabric site = site_of(file, topology, question.ports);
  const locating::NodeNames names = names_of(site);
  locating::MeasuredPairs pairs = pairs_of(question, file, site.topology, names);
  if (question.ran != "auto")
    pairs.concurrency =
        question.ran == "together" ? locating::Concurrency::together : locating::Concurrency::alone;
  const fabric::Router router(site.topology, addressed_routing(file, site, topology.has_value(), pairs));
  const std::uint32_t per_machine =
      question.hosts_per_machine.value_or(topology ? 0 : fabric::hosts_per_machine(file));
  const locating::Elements elements(site.topology, per_machine, site.names);
  if (topology) refuse_without_paths(router, site, pairs, topology->name);
  LocatedPairs located =
      locate_pairs(pairs, router, elements,
                   {.rule = question.rule, .next = question.next, .hash_known = file.states_hash});
  located.report.assumed = remarks_of(site);
  return {.json = to_json(located.report),
          .text = to_text(located.report),
          .any_slow = !located.report.location.suspects.empty(),
          .all_crossed = located.incidence->unseen().empty()};
}

}  // namespace assay::answers
