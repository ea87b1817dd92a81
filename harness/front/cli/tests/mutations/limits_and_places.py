# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Files of limits and of places that say something else than they should, and values that limits must not take.
import tomllib

from fleet_questions import LIMITS, PLACES, accepted_within_limits
from mutation import CONTROL, MAY_PASS, MUST_NOT_PASS, Mutation
from point_damages import LINK, SECTIONS, expectation, fleet_with
from scopes import LINKS, POINTS
from slow_units import with_speeds

SHORTER = "a shorter file is a file: every limit in it is whole"
LOOSER = "a looser limit is a limit: its row states the smallest loss that it sees"


def with_limits(text, *flags):
    def ask(workshop):
        paths = [workshop.shared.journal(run) for run in sorted(workshop.shared.fleet)]
        workshop.read_journals(paths)
        return workshop.accept("--limits", workshop.file("limits.toml", text), *flags)
    return ask


def bundled_with(option, name, text):
    def ask(workshop):
        workshop.read_journals([workshop.shared.journal(run) for run in sorted(workshop.shared.fleet)])
        return workshop.run("bundle", "--store", workshop.store, "-o", workshop.folder / "made.bundle", option, workshop.file(name, text))
    return ask


REPLACED = (
    ("case of another module", "gemm.cuda.matmul", "gemm.cuda.matmull"), ("case without its last letter", "memory.cuda.copy", "memory.cuda.cop"),
    ("case empty", '"memory.cuda.copy"', '""'), ("case a number", '"memory.cuda.copy"', "7"),
    ("metric with a typo", '"tflops"', '"tflop"'), ("metric of another kind", '"tflops"', '"bandwidth_gb_per_s"'),
    ("metric empty", '"tflops"', '""'), ("axis with a typo", "m = 8192", "mm = 8192"), ("axis of another value", "m = 8192", "m = 4096"),
    ("axis in capitals", "m = 8192", "M = 8192"), ("axis that no point has", "m = 8192", "m = 8192, n = 1"),
    ("axis with a list", "m = 8192", "m = [8192]"), ("axis null", "m = 8192", 'm = ""'), ("axis of another type", '"bf16"', '"fp8"'),
    ("unit of ten", '"TFLOP/s"', '"GFLOP/s"'), ("unit in bits", '"GB/s"', '"Gb/s"'), ("unit binary", '"GB/s"', '"GiB/s"'),
    ("unit in small letters", '"TFLOP/s"', '"tflop/s"'), ("unit with a blank", '"TFLOP/s"', '"TFLOP/s "'), ("unit empty", '"TFLOP/s"', '""'),
    ("key lowest with a typo", "lowest = 715", "lowst = 715"), ("key in capitals", "lowest = 715", "Lowest = 715"),
    ("key twice", "lowest = 715", "lowest = 715\nlowest = 1"), ("key that nobody knows", "lowest = 715", "lowest = 715\nmedian = 715"),
    ("lowest missing", "lowest = 715\n", ""), ("lowest text", "lowest = 715", 'lowest = "715"'), ("lowest NaN", "lowest = 715", "lowest = nan"),
    ("lowest infinite", "lowest = 715", "lowest = -inf"), ("lowest true", "lowest = 715", "lowest = true"),
    ("lowest a date", "lowest = 715", "lowest = 2026-01-01"), ("lowest a list", "lowest = 715", "lowest = [715]"),
    ("lowest above what is measured", "lowest = 715", "lowest = 900"), ("lowest far above", "lowest = 715", "lowest = 1e30"),
    ("highest below what is measured", "highest = 3200", "highest = 2600"), ("interval upside down", "highest = 3200", "highest = 2400"),
    ("highest negative", "highest = 3200", "highest = -3200"), ("highest NaN", "highest = 3200", "highest = nan"),
    ("lowest in the place of highest", "lowest = 2500\nhighest = 3200", "highest = 2500\nlowest = 3200"),
    ("source missing", 'source = "the example"\n', ""), ("source empty", '"the example"', '""'), ("unit missing", 'unit = "TFLOP/s"\n', ""),
    ("metric missing", 'metric = "tflops"\n', ""), ("case missing", 'case = "gemm.cuda.matmul"\n', ""),
    ("machine missing", '[machine]\ngpu = "NVIDIA H100 80GB HBM3*"\ngpus = 4\n', ""), ("machine empty", 'gpu = "NVIDIA H100 80GB HBM3*"\ngpus = 4\n', ""),
    ("GPU of another name", "NVIDIA H100 80GB HBM3*", "NVIDIA H100 PCIe*"), ("GPU in small letters", "NVIDIA H100", "nvidia h100"),
    ("eight GPUs", "gpus = 4", "gpus = 8"), ("no GPUs", "gpus = 4", "gpus = 0"), ("GPUs negative", "gpus = 4", "gpus = -4"),
    ("GPUs text", "gpus = 4", 'gpus = "4"'), ("machine with an unknown key", "gpus = 4", "gpus = 4\nracks = 1"),
    ("table with a typo", "[[limit]]", "[[limits]]"), ("a table and no list", "[[limit]]\ncase = \"gemm", "[limit]\ncase = \"gemm"),
    ("a quote lost", '"tflops"', '"tflops'), ("a bracket lost", "[[limit]]", "[[limit]"), ("an equals sign lost", "lowest = 715", "lowest 715"),
    ("a zero byte", "lowest = 715", "lowest = 715\0"), ("an invalid byte", "the example", "the ex\udcffample"),
    ("adapter that is not there", "gpus = 4", 'gpus = 4\nhca = "MT4123"'), ("rate that is not there", "gpus = 4", 'gpus = 4\nrate = "800 Gb/sec*"'),
    ("CPU that is not there", "gpus = 4", 'gpus = 4\ncpu = "Another*"'), ("product that is not there", "gpus = 4", 'gpus = 4\nproduct = "Other"'),
)
WHOLE_FILES = (("empty", ""), ("of blanks", " \n \n"), ("a comment", "# nothing\n"), ("of another kind", '{"limits": []}'),
               ("of zero bytes", "\0" * 300), ("of places", PLACES), ("without limits", LIMITS[:LIMITS.index("[[limit]]")]),
               ("twice in one", LIMITS + LIMITS), ("a long line", "x" * 200000))


def encoded(text):
    return text.encode("utf-8", "surrogateescape")


def is_whole(text):
    """A cut that leaves whole limits leaves a file that somebody may have written."""
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    limits = parsed.get("limit", [])
    whole = all({"case", "metric", "unit", "source"} <= set(one) and {"lowest", "highest"} & set(one) and one["source"] for one in limits)
    return bool(limits) and whole and isinstance(limits, list)


def limits_file_rows():
    yield Mutation("limits: controls", "nothing changed", "a sound fleet", with_limits(LIMITS), CONTROL)
    yield Mutation("bundle: controls", "nothing changed", "limits", bundled_with("--limits", "limits.toml", LIMITS), CONTROL)
    yield Mutation("limits: the file", "one limit", "lowest looser", with_limits(LIMITS.replace("715", "100")), MAY_PASS, LOOSER)
    for kind, before, after in REPLACED:
        changed = LIMITS.replace(before, after, 1)
        assert changed != LIMITS, kind
        yield Mutation("limits: the file", "one place", kind, with_limits(encoded(changed)))
        yield Mutation("bundle: limits", "one place", kind, bundled_with("--limits", "limits.toml", encoded(changed)))
    for kind, text in WHOLE_FILES:
        yield Mutation("limits: the file", "all of it", kind, with_limits(text))
        yield Mutation("bundle: limits", "all of it", kind, bundled_with("--limits", "limits.toml", text))
    for share in range(1, 40):
        text = LIMITS[:len(LIMITS) * share // 40]
        expected = (MAY_PASS, SHORTER) if is_whole(text) else (MUST_NOT_PASS,)
        yield Mutation("limits: the file", "its end", f"cut at {share} of 40", with_limits(text), *expected)


def limited_value_rows():
    """Limits hold against what the metric says; what a fleet's judge has no use for counts here."""
    sections = [(name, damage, POINTS[:5] + POINTS[8:9]) for name, damages in SECTIONS.items() for damage in damages
                if name in ("time", "samples", "metrics", "status")]
    sections += [("link", damage, LINKS[:2]) for damage in LINK]
    for section, damage, scopes in sections:
        for scope in (scopes[0], scopes[-1]):
            expected = expectation(scope, damage)
            if damage.kind in ("time.bounded false", "metrics empty", "metric of another name"):
                expected = {}  # of too few samples an interval of 95 % is not known
            yield Mutation(f"limits: a point's {section}", scope.name, damage.kind, accepted_within_limits(fleet_with(scope, damage)), **expected)
    for scope in POINTS:
        for loss in (0.1, 0.3):
            if "host point" not in scope.name:
                yield Mutation("limits: slow units", scope.name, f"{round(100 * loss)} % slow", accepted_within_limits(
                    with_speeds((scope, 1 / (1 - loss)))))


def with_places(text):
    def ask(workshop):
        workshop.read_journals([workshop.shared.journal(run) for run in sorted(workshop.shared.fleet)])
        return workshop.accept("--places", workshop.file("places.csv", text))
    return ask


ROW = "h03,s0,\n"
PLACES_REPLACED = (
    ("a host that was not measured", ROW, ROW + "h99,s0,\n"), ("a host of another name", "h03,", "h33,"), ("a host missing", ROW, ""),
    ("a host twice, in two places", ROW, ROW + "h03,s1,\n"), ("a host twice", ROW, ROW + ROW), ("a host with a blank behind it", "h03,", "h03 ,"),
    ("a host with a blank before it", "h03,", " h03,"), ("a host in capitals", "h03,", "H03,"), ("a host in quotes", "h03,", '"h03",'),
    ("a row with a column more", ROW, "h03,s0,,x\n"), ("a row with a column fewer", ROW, "h03,s0\n"), ("a row of the host alone", ROW, "h03\n"),
    ("a host without name", ROW, ",s0,\n"), ("separated by semicolons", ROW, "h03;s0;\n"), ("separated by tabs", ROW, "h03\ts0\t\n"),
    ("a header with a typo", "host,", "hosts,"), ("a header without host", "host,switch", "switch,host"), ("a header alone of hosts", "host,switch,rail", "host"),
    ("a level without name", "host,switch,rail", "host,,rail"), ("a level twice", "host,switch,rail", "host,switch,switch"),
    ("a level called host", "host,switch,rail", "host,host,rail"), ("no header", "host,switch,rail\n", ""),
    ("a header in capitals", "host,switch,rail", "HOST,SWITCH,RAIL"), ("a zero byte", ROW, "h03\0,s0,\n"),
    ("a GPU that is not there", "host,switch,rail\n", "host,gpu,switch,rail\nh03,9,s0,r9\n"),
    ("text in the middle", ROW, ROW + "see the drawing\n"), ("a comment", ROW, "# moved\n" + ROW),
)


def places_rows():
    for kind, before, after in PLACES_REPLACED:
        changed = PLACES.replace(before, after, 1)
        assert changed != PLACES, kind
        yield Mutation("places: the file", "one place", kind, with_places(changed))
        yield Mutation("bundle: places", "one place", kind, bundled_with("--places", "places.csv", changed))
    for kind, text in (("empty", ""), ("of blanks", "\n\n\n"), ("of limits", LIMITS), ("of zero bytes", "\0" * 200), ("the header alone", "host,switch,rail\n"),
                       ("in one line", PLACES.replace("\n", " ")), ("as UTF-16", PLACES.encode("utf-16"))):
        yield Mutation("places: the file", "all of it", kind, with_places(text))
        yield Mutation("bundle: places", "all of it", kind, bundled_with("--places", "places.csv", text))
    yield Mutation("places: the file", "all of it", "with CRLF", with_places(PLACES.replace("\n", "\r\n")), CONTROL)
    yield Mutation("places: the file", "all of it", "not there", lambda workshop: with_missing(workshop, "--places"))
    yield Mutation("limits: the file", "all of it", "not there", lambda workshop: with_missing(workshop, "--limits"))
    for at in range(1, len(PLACES) - 2, 4):
        yield Mutation("places: the file", "its end", f"cut at {at}", with_places(PLACES[:at]))


def with_missing(workshop, option):
    workshop.read_journals([workshop.shared.journal(run) for run in sorted(workshop.shared.fleet)])
    return workshop.accept(option, workshop.folder / "nowhere")


def flag_rows():
    """Margins that are none."""
    for flag in ("--margin", "--site-margin", "--suspects"):
        for value in ("nan", "-1%", "0", "inf", "", "100%", "1e9", "five", "1.5%%", " ", "-0", "1.5 of 100", "--"):
            yield Mutation("accept: margins", flag, f"'{value}'", lambda workshop, flag=flag, value=value: workshop.accept(
                f"{flag}={value}", store=workshop.shared.store))


def rows():
    for table in (limits_file_rows, limited_value_rows, places_rows, flag_rows):
        yield from table()
