// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/timeline.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "harness/core/error.hpp"
#include "model/fabric/sharing/active_flows.hpp"

namespace assay::model::fabric {

namespace {

struct Event {
  double time_us;
  FlowId flow;
  std::uint32_t version;  // of the flow's rate: an end foreseen at an older rate is void

  bool operator>(const Event& other) const {
    return std::pair(time_us, flow) > std::pair(other.time_us, other.flow);
  }
};

/// The earliest first.
class EventQueue {
 public:
  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  const Event& top() const { return events_.front(); }
  void push(const Event& event) {
    events_.push_back(event);
    std::ranges::push_heap(events_, std::greater());
  }
  void pop() {
    std::ranges::pop_heap(events_, std::greater());
    events_.pop_back();
  }
  /// Many at once, without those that are void.
  template <class IsVoid>
  void exchange(const std::vector<Event>& more, const IsVoid& is_void) {
    std::erase_if(events_, is_void);
    events_.insert(events_.end(), more.begin(), more.end());
    std::ranges::make_heap(events_, std::greater());
  }

 private:
  std::vector<Event> events_;
};

class Run {
 public:
  Run(std::span<const Message> messages, std::span<const Precedence> precedences, const Paths& paths,
      std::size_t links, const SharingRule& rule);

  Timeline finish(double batch);

 private:
  void handle(const Event& event);
  void end(FlowId flow, double time_us);
  void progress_to(double time_us, std::span<const FlowId> flows);
  void share_again();
  bool is_void(const Event& event) const { return event.version != version_[event.flow]; }
  /// The span of time that a batch is a share of: how long the flow, or what it waited for, has taken.
  double span_us(const Event& event) const;

  std::span<const Message> messages_;
  const Paths& paths_;
  const SharingRule& rule_;
  ActiveFlows active_;
  std::vector<std::size_t> first_successor_;  // of each flow, and one more for the end
  std::vector<Precedence> successors_;        // by the flow before
  std::vector<std::uint32_t> waits_for_, version_;
  std::vector<double> left_bytes_, rate_, at_us_;  // bytes left at that time, and the rate from then on
  EventQueue events_;
  std::vector<double> waited_us_;  // how long the last predecessor took
  std::vector<LinkId> changed_;    // links that gained or lost a flow since rates were shared out
  double now_us_ = 0;
  std::size_t ended_ = 0;
  Timeline timeline_;
};

Run::Run(std::span<const Message> messages, std::span<const Precedence> precedences, const Paths& paths,
         std::size_t links, const SharingRule& rule)
    : messages_(messages),
      paths_(paths),
      rule_(rule),
      active_(paths, links),
      first_successor_(messages.size() + 1),
      successors_(precedences.size()),
      waits_for_(messages.size()),
      version_(messages.size()),
      rate_(messages.size()),
      at_us_(messages.size()),
      waited_us_(messages.size()) {
  for (const Precedence& one : precedences) {
    ++first_successor_[one.before + 1];
    ++waits_for_[one.after];
  }
  for (std::size_t flow = 0; flow < messages.size(); ++flow)
    first_successor_[flow + 1] += first_successor_[flow];
  std::vector<std::size_t> next(first_successor_.begin(), first_successor_.end());
  for (const Precedence& one : precedences) successors_[next[one.before]++] = one;
  timeline_.end_us.resize(messages.size());
  for (FlowId flow = 0; flow < messages.size(); ++flow) {
    left_bytes_.push_back(messages[flow].bytes);
    timeline_.start_us.push_back(messages[flow].start_us);
    if (waits_for_[flow] == 0) events_.push({messages[flow].start_us, flow, 0});
  }
}

/// A flow's first event starts it, the next ends it; a moment has one event.
void Run::handle(const Event& event) {
  const FlowId flow = event.flow;
  if (paths_[flow].empty()) return end(flow, event.time_us);
  changed_.insert(changed_.end(), paths_[flow].begin(), paths_[flow].end());
  ++version_[flow];
  if (!active_.has(flow)) {
    at_us_[flow] = event.time_us;
    active_.add(flow);
    return;
  }
  active_.remove(flow);
  end(flow, event.time_us);
}

void Run::end(FlowId flow, double time_us) {
  ++ended_;
  const double end_us = timeline_.end_us[flow] = time_us + messages_[flow].latency_us;
  const double took_us = paths_[flow].empty() ? waited_us_[flow] : end_us - timeline_.start_us[flow];
  for (std::size_t at = first_successor_[flow]; at < first_successor_[flow + 1]; ++at) {
    const FlowId next = successors_[at].after;
    double& start_us = timeline_.start_us[next];
    start_us = std::max(start_us, end_us + successors_[at].delay_us);
    waited_us_[next] = took_us;
    if (--waits_for_[next] == 0) events_.push({start_us, next, 0});
  }
}

double Run::span_us(const Event& event) const {
  return active_.has(event.flow) ? event.time_us - timeline_.start_us[event.flow] : waited_us_[event.flow];
}

/// A flow that has just started keeps its own instant, and its first rate counts from there.
void Run::progress_to(double time_us, std::span<const FlowId> flows) {
  for (const FlowId flow : flows) {
    if (rate_[flow] <= 0) continue;
    left_bytes_[flow] = std::max(0.0, left_bytes_[flow] - rate_[flow] * (time_us - at_us_[flow]));
    at_us_[flow] = time_us;
  }
}

void Run::share_again() {
  const std::vector<FlowId> flows = active_.joined(changed_);
  changed_.clear();
  if (flows.empty()) return;
  progress_to(now_us_, flows);
  rule_(flows, rate_);
  ++timeline_.solves;
  std::vector<Event> ends;
  for (const FlowId flow : flows) {
    if (!(rate_[flow] > 0))
      core::usage_error("flow " + std::to_string(flow) + " gets no rate, and would never end");
    ends.push_back({at_us_[flow] + left_bytes_[flow] / rate_[flow], flow, ++version_[flow]});
  }
  if (4 * ends.size() < events_.size())
    for (const Event& end : ends) events_.push(end);
  else
    events_.exchange(ends, [this](const Event& event) { return is_void(event); });
}

Timeline Run::finish(double batch) {
  double until_us = -1;
  while (!events_.empty() || !changed_.empty()) {
    if (!changed_.empty() && (events_.empty() || events_.top().time_us > until_us)) {
      share_again();
      continue;
    }
    const Event event = events_.top();
    events_.pop();
    if (is_void(event)) continue;
    if (changed_.empty()) until_us = event.time_us + batch * span_us(event);
    now_us_ = std::max(now_us_, event.time_us);
    handle(event);
  }
  if (ended_ < messages_.size()) core::usage_error("messages wait for one another in a circle");
  return std::move(timeline_);
}

}  // namespace

double Timeline::makespan_us() const { return end_us.empty() ? 0 : *std::ranges::max_element(end_us); }

Timeline timeline_of(std::span<const Message> messages, std::span<const Precedence> precedences,
                     const Paths& paths, std::size_t links, const SharingRule& rule, double batch) {
  return Run(messages, precedences, paths, links, rule).finish(batch);
}

}  // namespace assay::model::fabric
