// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "collectives/nccl/nccl_limits.hpp"
#include "collectives/nccl/nccl_runner.hpp"
#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

constexpr double make_limit_s = 60;  // a communicator over a whole cluster takes seconds
constexpr double time_to_spare = 4;  // of an operation's own limit beyond the watch's

// An id travels as text: what NCCL wrote, two digits a byte.
std::string to_text(const ncclUniqueId& id) {
  std::string text;
  for (const char one : id.internal) text += fmt::format("{:02x}", static_cast<unsigned char>(one));
  return text;
}

ncclUniqueId id_from(const std::string& text) {
  ncclUniqueId id{};
  if (text.size() != 2 * sizeof(id.internal))
    throw core::Error(core::ErrorKind::team, fmt::format("'{}' is not an id of NCCL", text));
  for (std::size_t i = 0; i < sizeof(id.internal); ++i)
    id.internal[i] = static_cast<char>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  return id;
}

/// All ranks' communicator with NCCL's variables of the time it was made; only to be split.
struct Everybody {
  std::shared_ptr<void> variables;
  Communicator communicator;
};

struct Kept final : KeptCommunicators {
  std::string made_as;  // two of the same can serve one another's points
  // Destroyed in the opposite order.
  std::shared_ptr<Accelerator> accelerator;
  std::shared_ptr<Everybody> everybody;
  std::map<RankGroup, std::shared_ptr<Communicator>> of_groups;  // null where this rank is none of them

  bool is_whole() const {
    return everybody && !everybody->communicator.is_broken() &&
           std::ranges::none_of(of_groups,
                                [](const auto& one) { return one.second && one.second->is_broken(); });
  }
};

class World final : public NcclWorld {
 public:
  World(team::Team& team, const NcclWorldOptions& options, NcclParts parts)
      : team_(team),
        options_(options),
        parts_(std::move(parts)),
        gpus_(gpus_of_ranks(team, parts_.visible_devices, parts_.describe)) {
    at_rank_0([&] {
      refuse_sharing();
      refuse_registering();
      refuse_policy();
    });
    if (options_.ranks_share_gpu)
      parts_.set_for_good(sharing_variables(team_.rank(), nodes_of(gpus_, false) == 1));
    if (options_.kept != nullptr) take_over();
    if (everybody_) return;
    const ncclUniqueId id = everybodys_id();
    everybody_ = everybody(id);
    if (options_.kept != nullptr && options_.way.keeps_communicators) keep();
  }

  std::unique_ptr<Runner> make_runner(const RankGroup& group, const Problem& problem,
                                      const Content& content) override {
    return make_queued_runner(group, problem, content);
  }

  std::unique_ptr<QueuedRunner> make_queued_runner(const RankGroup& group, const Problem& problem,
                                                   const Content& content) override {
    at_rank_0([&] {
      refuse_type(problem, content);
      refuse_choice(group, problem, content);
    });
    const auto own = std::ranges::find(group, team_.rank());
    const bool member = own != group.end();
    const int rank = static_cast<int>(own - group.begin());
    bool is_kept = false;
    auto communicator = communicator_of(group, rank, member, is_kept);
    std::unique_ptr<NcclRunner> runner;
    agree([&] {
      if (member)
        runner = runner_of({.communicator = std::move(communicator), .communicator_is_kept = is_kept},
                           problem, content, rank);
    });
    if (runner) runner->connect();
    return runner;
  }

  std::vector<core::Fact> facts() const override {
    std::vector<core::Fact> facts{{core::names::gpu_name, own_gpu().name},
                                  {core::names::gpu_pci_address, own_gpu().pci_address}};
    if (team_.rank() != 0) return facts;
    facts.emplace_back(core::names::nccl_version, nccl::version_text(*parts_.calls));
    facts.emplace_back("nccl_library", parts_.library);
    if (const std::string sharing = who_shares(gpus_); !sharing.empty())
      facts.emplace_back(core::names::not_a_performance_measurement,
                         "true: " + sharing + ", where their kernels run in turns");
    return facts;
  }

 private:
  Patience patience(double limit_s) const {
    return {.limit_s = limit_s,
            .given_up = options_.given_up != nullptr ? options_.given_up : &never_given_up};
  }

  std::shared_ptr<Everybody> everybody(const ncclUniqueId& id) const {
    auto variables = parts_.set(variables_of(options_.way.choice, options_.operation));
    return std::shared_ptr<Everybody>(new Everybody{
        std::move(variables), {*parts_.calls, team_.size(), team_.rank(), id, patience(make_limit_s)}});
  }

  /// No rank enters NCCL, to wait there, where another failed.
  void agree(const std::function<void()>& work) {
    team::agree(team_, [&] {
      work();
      return std::string();
    });
  }
  /// Runs a check at rank 0 only, so that what is refused for all is reported once.
  void at_rank_0(const std::function<void()>& check) {
    agree([&] {
      if (team_.rank() == 0) check();
    });
  }

  std::unique_ptr<NcclRunner> runner_of(NcclRunner::Made made, const Problem& problem, const Content& content,
                                        int rank) {
    made.communicator->set_patience(patience(time_to_spare * options_.hang_limit_s));
    made.calls = parts_.calls;
    made.accelerator = accelerator_;
    made.parent = everybody_;
    made.ran = parts_.ran;
    made.why_unreported = parts_.why_unreported;
    made.algorithm = options_.algorithm;
    return std::make_unique<NcclRunner>(std::move(made), problem, content, rank, options_.way);
  }

  /// The group's communicator: kept, or made now by all ranks.
  std::shared_ptr<Communicator> communicator_of(const RankGroup& group, int rank, bool member,
                                                bool& is_kept) {
    if (const auto found = of_groups_.find(group); found != of_groups_.end()) return found->second;
    if (kept_ != nullptr)
      if (const auto found = kept_->of_groups.find(group); found != kept_->of_groups.end()) {
        is_kept = true;
        return found->second;
      }
    std::shared_ptr<Communicator> made =
        everybody_->communicator.split(member, member ? rank : 0, options_.way);
    of_groups_[group] = made;
    if (kept_ != nullptr) kept_->of_groups[group] = made;
    return made;
  }

  /// The settings that NCCL reads when communicators are made, as text.
  std::string made_as() const {
    std::string text = fmt::format("cta policy {} channels {}", static_cast<int>(options_.way.cta_policy),
                                   options_.way.channels);
    for (const auto& [name, value] : variables_of(options_.way.choice, options_.operation))
      text += fmt::format(" {}={}", name, value);
    return text;
  }

  /// Takes over what the point before kept, if it is whole at every rank. Else it goes first: it also holds
  /// that point's variables.
  void take_over() {
    auto* const there = dynamic_cast<Kept*>(options_.kept->get());
    bool usable = options_.way.keeps_communicators;
    if (usable)
      for (const std::string& one : team::agree(
               team_, [&] { return there != nullptr && there->is_whole() ? there->made_as : std::string(); }))
        usable = usable && one == made_as();
    if (!usable) return options_.kept->reset();
    kept_ = there;
    accelerator_ = there->accelerator;
    everybody_ = there->everybody;
  }

  void keep() {
    auto kept = std::make_unique<Kept>();
    kept->made_as = made_as();
    kept->accelerator = accelerator_;
    kept->everybody = everybody_;
    kept_ = kept.get();
    *options_.kept = std::move(kept);
  }

  const RankGpu& own_gpu() const { return gpus_[static_cast<std::size_t>(team_.rank())]; }

  void refuse_sharing() const {
    const std::string sharing = who_shares(gpus_);
    if (sharing.empty() || options_.ranks_share_gpu) return;
    throw core::Unsupported(core::ErrorKind::nccl,
                            sharing +
                                ": start one rank a GPU, or give --ranks-share-gpu to check "
                                "correctness only");
  }

  int version() const {
    int version = 0;
    nccl::check(*parts_.calls, parts_.calls->get_version(&version), "ask for the version");
    return version;
  }

  void refuse_policy() const {
    if (options_.way.cta_policy == CtaPolicy::left_to_nccl) return;
    std::string why = why_not_policy(version(), options_.way.cta_policy);
    if (why.empty() && !can_set_cta_policy())
      why = "cta_policy: this program was built with an nccl.h before 2.27";
    if (!why.empty()) throw core::Unsupported(core::ErrorKind::nccl, why);
  }

  void refuse_registering() const {
    if (options_.way.symmetric_window && !parts_.calls->has_windows())
      throw core::Unsupported(
          core::ErrorKind::nccl,
          fmt::format("NCCL {} has no ncclCommWindowRegister: window=symmetric needs 2.27",
                      nccl::version_text(*parts_.calls)));

    if (!options_.way.registered || parts_.calls->can_register()) return;
    throw core::Unsupported(
        core::ErrorKind::nccl,
        fmt::format("NCCL {} has no ncclMemAlloc and ncclCommRegister: registered=1 needs 2.19",
                    nccl::version_text(*parts_.calls)));
  }

  void refuse_type(const Problem& problem, const Content& content) const {
    const std::string why = why_not_reduced(version(), content.type, problem.operation);
    if (!why.empty()) throw core::Unsupported(core::ErrorKind::nccl, why);
  }

  void refuse_choice(const RankGroup& group, const Problem& problem, const Content& content) const {
    std::vector<RankGpu> members;
    for (const int rank : group) members.push_back(gpus_[static_cast<std::size_t>(rank)]);
    const std::string why = why_not_chosen(options_.way.choice, problem, content.type, content.reduction,
                                           nodes_of(members, options_.ranks_share_gpu));
    if (!why.empty()) throw core::Unsupported(core::ErrorKind::nccl, why);
  }

  /// Rank 0's, once every rank has its GPU.
  ncclUniqueId everybodys_id() {
    const auto own = [&]() -> std::string {
      accelerator_ = parts_.open(own_gpu().device);
      if (team_.rank() != 0) return {};
      ncclUniqueId id{};
      nccl::check(*parts_.calls, parts_.calls->get_unique_id(&id), "make an id");
      return to_text(id);
    };
    return id_from(team::agree(team_, own).front());
  }

  team::Team& team_;
  NcclWorldOptions options_;
  NcclParts parts_;
  std::vector<RankGpu> gpus_;
  std::shared_ptr<Accelerator> accelerator_;
  std::shared_ptr<Everybody> everybody_;
  Kept* kept_ = nullptr;                                          // in the options' slot
  std::map<RankGroup, std::shared_ptr<Communicator>> of_groups_;  // made for this point
};

}  // namespace

std::unique_ptr<NcclWorld> make_nccl_world(team::Team& team, const NcclWorldOptions& options,
                                           NcclParts parts) {
  return std::make_unique<World>(team, options, std::move(parts));
}

}  // namespace assay::collectives
