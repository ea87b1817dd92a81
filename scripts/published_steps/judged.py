# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Errors by class, slopes over sizes, and the order of mappings.
import collections
import dataclasses
import itertools
import statistics

BARS = {"dense": 5, "context": 6, "sharded": 10, "fp8": 8, "moe": 10}  # percent, mean
WITHIN = 20  # percent, every row
ALIKE = 0.02  # published times nearer than this have no order


@dataclasses.dataclass
class Judged:
    row: object
    predicted: object

    @property
    def ratio(self):
        return self.predicted.step_s / self.row.step_s

    @property
    def tokens_per_s(self):
        return self.row.tokens_per_s / self.ratio

    @property
    def error_percent(self):
        return 100 * (self.ratio - 1)


@dataclasses.dataclass
class ClassError:
    rows: int
    mean_ratio: float
    least: float
    most: float
    mean_error_percent: float
    beyond: int


def timed(all_judged):
    return [judged for judged in all_judged if judged.predicted.step_s]


def error_of(judged):
    ratios = [one.ratio for one in judged]
    errors = [abs(one.error_percent) for one in judged]
    return ClassError(len(judged), statistics.fmean(ratios), min(ratios), max(ratios), statistics.fmean(errors), sum(error > WITHIN for error in errors))


def grouped(judged, key):
    groups = collections.defaultdict(list)
    for one in judged:
        groups[key(one.row)].append(one)
    return groups


def slopes(all_judged):
    """Series of at least three sizes with as much work a GPU: growth of the step from the smallest to the largest, published and predicted, in percent."""
    found = []
    for series, members in grouped(timed(all_judged), lambda row: row.series).items():
        members.sort(key=lambda one: one.row.gpus)
        # The largest run of one model: a shorter model for fewer GPUs is another question.
        last = members[-1].row
        same = [one for one in members if one.row.application == last.application and
                one.row.execution["batch_size"] * last.gpus == last.execution["batch_size"] * one.row.gpus]
        if len({one.row.gpus for one in same}) >= 3:
            first, end = same[0], same[-1]
            found.append((series, first.row.gpus, end.row.gpus, 100 * (end.row.step_s / first.row.step_s - 1),
                          100 * (end.predicted.step_s / first.predicted.step_s - 1)))
    return found


def orders(all_judged):
    """Pairs of mappings that a publication has of one model, by tokens a second and GPU: how many are predicted in its order; the pairs that are not."""
    right, wrong = 0, []
    for members in grouped(timed(all_judged), lambda row: row.question).values():
        for one, other in itertools.combinations(members, 2):
            if one.row.mapping == other.row.mapping or abs(one.row.tokens_per_s / other.row.tokens_per_s - 1) < ALIKE:
                continue
            if (one.row.tokens_per_s > other.row.tokens_per_s) == (one.tokens_per_s > other.tokens_per_s):
                right += 1
            else:
                wrong.append((one, other))
    return right, wrong
