# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Journals that are not whole: lines cut, doubled, dropped and altered, ends that count otherwise, files that were cut off.
import copy
import random

from fleet_questions import PLACES, accepted, bundled, journal_paths
from machine_damages import NAMES as OF_CONTEXT
from made_up_fleet import ROUNDS, closed_body, closed, copy_of, run_of, text_of
from mutation import CONTROL, HUNG, MAY_PASS, MUST_NOT_PASS, Mutation
from point_damages import SECTIONS, DIGEST, put
from scopes import EVERY_HOST, HOST, JOURNALS, LAST, POINTS, changed_fleet, contexts_of, ends_of, points_of

UNMEASURED = "a host that measures one round fewer is judged on the others"
HARMLESS = "what stands there twice is passed over"
NOBODY_KNOWS = "no place and no other record names the host"
AN_AUTHOR = "nothing is left of them: an author's work, and no damage"


def raw(line, change):
    line.raw = change(line.text())


def cut(share):
    return lambda text: text[:int(len(text) * share)]


def flipped(seed):
    def change(text):
        draw = random.Random(seed)
        at, bit = draw.randrange(len(text)), 1 << draw.randrange(8)
        return text[:at] + bytes([text[at] ^ bit]) + text[at + 1:]
    return change


LINES = {"context": lambda lines: contexts_of(lines)[0], "last context": lambda lines: contexts_of(lines)[-1],
         "first point": lambda lines: points_of(lines)[0], "middle point": lambda lines: points_of(lines)[6],
         "last point": lambda lines: points_of(lines)[-1], "first end": lambda lines: ends_of(lines)[0],
         "last end": lambda lines: ends_of(lines)[-1]}
DAMAGES = {"cut in the middle": cut(0.5), "cut by its last bytes": cut(0.99), "emptied to a brace": lambda text: b"{",
           "without CRC": lambda text: text[:text.rindex(b',"crc32"')] + b"}", "CRC of zeros": lambda text: text[:-10] + b'00000000"}',
           "with a byte flipped": flipped(1), "of zero bytes": lambda text: b"\0" * len(text), "as text": lambda text: b"all went well",
           "in two lines": lambda text: text[:100] + b"\n" + text[100:], "with NaN under a right CRC": lambda text: nan_in(text),
           "in lists a thousand deep": lambda text: b"[" * 1000 + b"]" * 1000}


def nan_in(text):
    return closed((text[:text.rindex(b',"crc32"')] + b"}").replace(b'"schema":2', b'"schema":NaN'))


def line_rows():
    for where, line_of in LINES.items():
        for kind, change in DAMAGES.items():
            for scope in (JOURNALS[0], JOURNALS[2]):
                fleet = lambda base, scope=scope, line_of=line_of, change=change: changed_fleet(
                    base, scope, lambda lines, _round, _host: raw(line_of(lines), change))
                yield Mutation("accept: damaged lines", scope.name, f"{where} {kind}", accepted(fleet))
                if scope is JOURNALS[0]:
                    yield Mutation("bundle: damaged lines", scope.name, f"{where} {kind}", bundled(fleet))


def stale_rows():
    """The damages of a point and of a context once more, beneath the CRC of the line before."""
    damages = [damage for section in (*SECTIONS.values(), DIGEST) for damage in section]
    for number, damage in enumerate(damages):
        scope = (POINTS[0], POINTS[7], POINTS[10])[number % 3] if damage not in DIGEST else POINTS[8]

        def change(lines, _round, _host, damage=damage, scope=scope):
            for line in points_of(lines, scope.picks):
                before = copy.deepcopy(line.record)
                damage.change(line.record)
                if line.record == before:
                    continue
                line.raw = closed(closed_body(line.record), closed_body(before))
        yield Mutation("accept: a stale CRC", scope.name, damage.kind, accepted(
            lambda base, scope=scope, change=change: changed_fleet(base, scope, change)))
    for damage in OF_CONTEXT:
        def change(lines, _round, _host, damage=damage):
            line = contexts_of(lines)[1]
            before = closed_body(line.record)
            damage.change(line.record)
            line.raw = closed(closed_body(line.record), before)
        yield Mutation("accept: a stale CRC", "one journal", damage.kind, accepted(
            lambda base, change=change: changed_fleet(base, JOURNALS[0], change)))


def dropped(pick):
    def change(lines, _round, _host):
        line = pick(lines)
        del lines[next(at for at, one in enumerate(lines) if one is line)]
    return change


def doubled(pick):
    def change(lines, _round, _host):
        line = pick(lines)
        lines.insert(next(at for at, one in enumerate(lines) if one is line), line)
    return change


def swapped(lines, _round, _host):
    lines[1], lines[2] = lines[2], lines[1]


def without_process(module):
    def change(lines, _round, _host):
        lines[:] = [line for line in lines if line.record.get("module") != module]
    return change


def forged_drop(lines, _round, _host):
    """The last point, and no trace of it: the number in the end too."""
    line = points_of(lines)[-1]
    lines[:] = [one for one in lines if one is not line]
    ends_of(lines)[-1].record["points"] -= 1


def ends_with(field, value, which=-1):
    return lambda lines, _round, _host: put(field, value)(ends_of(lines)[which].record)


def cut_points(lines, _round, _host):
    for line in points_of(lines)[3:5]:
        line.record["stop"] = "interrupted"


WHOLE = {
    **{f"{where} dropped": dropped(pick) for where, pick in LINES.items()},
    "all ends dropped": lambda lines, _round, _host: lines.__setitem__(slice(None), [one for one in lines if one not in ends_of(lines)]),
    "all contexts dropped": lambda lines, _round, _host: lines.__setitem__(
        slice(None), [one for one in lines if one not in contexts_of(lines)]),
    "first module dropped": without_process("gemm"), "second module dropped": without_process("memory"),
    "end counts one more": ends_with("points", lambda count: count + 1), "end counts one fewer": ends_with("points", lambda count: count - 1),
    "first end counts one more": ends_with("points", lambda count: count + 1, 0), "end counts none": ends_with("points", 0),
    "end counts less than none": ends_with("points", -1), "end counts null": ends_with("points", None),
    "end counts 10^12": ends_with("points", 10**12), "end counts text": ends_with("points", "all"),
    "last end interrupted": ends_with("interrupted", True), "first end interrupted": ends_with("interrupted", True, 0),
    "end of another process": ends_with("process", 9), "end of another run": ends_with("run_id", "r9-h99"),
    "end of another module": ends_with("module", "gemm"), "two points cut by an interrupt": cut_points,
}


def of_two_hosts(base):
    """One run id for two hosts, the second one's processes and points numbered behind the first one's."""
    first, second = run_of(LAST, HOST), run_of(LAST, HOST + 1)
    fleet = copy_of(base, {first, second})
    for line in fleet.pop(second):
        line.record["run_id"] = first
        line.record["process"] += len(contexts_of(base[first]))
        if line.record["record"] == "point":
            line.record["sequence"] += len(points_of(base[first]))
        fleet[first].append(line)
    return fleet


def whole_rows():
    yield Mutation("accept: lines and ends", "one journal", "of two hosts", accepted(of_two_hosts))
    yield Mutation("bundle: lines and ends", "one journal", "of two hosts", bundled(of_two_hosts))
    for kind, change in WHOLE.items():
        for scope in JOURNALS:
            fleet = lambda base, scope=scope, change=change: changed_fleet(base, scope, change)
            yield Mutation("accept: lines and ends", scope.name, kind, accepted(fleet))
            if scope is JOURNALS[0]:
                yield Mutation("bundle: lines and ends", scope.name, kind, bundled(fleet))
    for where, pick in LINES.items():
        fleet = lambda base, pick=pick: changed_fleet(base, JOURNALS[0], doubled(pick))
        yield Mutation("accept: lines and ends", "one journal", f"{where} doubled", accepted(fleet), MAY_PASS, HARMLESS)
    yield Mutation("accept: lines and ends", "one journal", "two lines swapped", accepted(
        lambda base: changed_fleet(base, JOURNALS[0], swapped)), MAY_PASS, "every record is there, with its number")
    for scope in JOURNALS[:2]:
        yield Mutation("accept: lines and ends", scope.name, "last point dropped, and the end rewritten", accepted(
            lambda base, scope=scope: changed_fleet(base, scope, forged_drop)), MAY_PASS, AN_AUTHOR)


def of_file(change):
    """One journal as a file."""
    def ask(workshop):
        paths = journal_paths(workshop, workshop.shared.fleet)
        at = paths.index(workshop.shared.journal(run_of(LAST, HOST)))
        paths[at] = workshop.file("changed.jsonl", change(paths[at].read_bytes()))
        workshop.read_journals(paths)
        return workshop.accept()
    return ask


def file_rows():
    for share in (0.0001, 0.01, *(number / 20 for number in range(1, 20)), 0.999):
        yield Mutation("accept: a journal as a file", "one journal", f"cut at {100 * share:g} %", of_file(cut(share)))
    for seed in range(60):
        yield Mutation("accept: a journal as a file", "one journal", f"a bit flipped, seed {seed}", of_file(flipped(seed)))
    for kind, change in {"with a byte order mark": lambda text: b"\xef\xbb\xbf" + text,
                         "as UTF-16": lambda text: text.decode().encode("utf-16"), "with zero bytes behind": lambda text: text + b"\0" * 4096,
                         "with text behind": lambda text: text + b"done\n", "with text before": lambda text: b"begin\n" + text,
                         "compressed away": lambda text: b"\x1f\x8b" + text[2:], "in one line": lambda text: text.replace(b"\n", b" "),
                         "lines in reverse, one lost": lambda text: b"\n".join(text.split(b"\n")[::-1][2:])}.items():
        yield Mutation("accept: a journal as a file", "one journal", kind, of_file(change))
    for kind, change in {"with CRLF": lambda text: text.replace(b"\n", b"\r\n"), "with empty lines": lambda text: text.replace(b"\n", b"\n\n"), "without its last newline": lambda text: text[:-1]}.items():
        yield Mutation("accept: a journal as a file", "one journal", kind, of_file(change), MAY_PASS, "every record is whole")


def absent_rows():
    def without(runs):
        return lambda base: {run: lines for run, lines in base.items() if run not in runs}

    def with_places(fleet):
        return lambda workshop: accepted(fleet, "--places", workshop.file("places.csv", PLACES))(workshop)
    one, all_of_host = without({run_of(LAST, HOST)}), without({run_of(number, HOST) for number in range(ROUNDS)})
    yield Mutation("accept: journals absent", "one journal", "not there", accepted(one), MAY_PASS, UNMEASURED)
    yield Mutation("accept: journals absent", "all journals of a host", "not there", accepted(all_of_host), MAY_PASS, NOBODY_KNOWS)
    yield Mutation("accept: journals absent", "all journals of a host", "not there, and placed", with_places(all_of_host))
    yield Mutation("accept: journals absent", "all journals", "not there", accepted(lambda base: {}))
    for name, content in (("empty", b""), ("of newlines", b"\n" * 20), ("of zero bytes", b"\0" * 5000)):
        yield Mutation("accept: journals absent", "one journal", name, of_file(lambda text, content=content: content),
                       *((MAY_PASS, UNMEASURED) if name != "of zero bytes" else (MUST_NOT_PASS,)))
    late = {run_of(LAST, host) for host in EVERY_HOST if host % 2}
    yield Mutation("accept: journals absent", "half of a round", "not there", accepted(without(late)), MAY_PASS, UNMEASURED)


def rows():
    for table in (line_rows, stale_rows, whole_rows, file_rows, absent_rows):
        yield from table()
