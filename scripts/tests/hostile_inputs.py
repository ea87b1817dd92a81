# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Hostile inputs of every format that assay reads, made from a seed: too deep, too wide, too long, with control characters,
# with sizes that wrap, cut off, and with single bytes changed. Small enough to be made in thousands; `scale` makes them larger.
#
#   hostile_inputs.py FOLDER    writes structured seeds and a dictionary for the fuzzers (harness/cmake/tests.cmake)
import io
import json
import pathlib
import random
import sys
import tarfile
import zlib

CONTROLS = ["\x1b[2J", "\x1b]0;title\x07", "\r", "\x00", "\x7f", "\x9b2J", "\u202e", "\u2066", "\ufeff", "\ud7ff", "\\u0000", "\\ud800"]
WRAPS = ["-1", "0", "255", "256", "65536", "2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808",
         "18446744073709551615", "18446744073709551616", "-9223372036854775809", "1e308", "1e309", "-1e309", "1e-400", "nan", "inf",
         "0x7fffffffffffffff", "1" * 400, "0." + "0" * 400 + "1"]


def nested_json(levels, innermost="1"):
    return "[" * levels + innermost + "]" * levels


def wide_json(keys, value="1"):
    return "{" + ",".join(f'"k{number}":{value}' for number in range(keys)) + "}"


def journal_line(record):
    """A record with the checksum that its reader asks for: what is wrong with it is found behind that."""
    body = record.rstrip()[:-1].encode("utf-8", "surrogatepass")
    return body + b',"crc32":"%08x"}\n' % zlib.crc32(body)


def context(machine="{}", run="r", host="h", environment="{}"):
    return ('{"record":"context","schema":2,"run_id":' + json.dumps(run) + ',"process":0,"module":"memory","started":'
            '"2026-01-02T03:04:05.678Z","host":' + json.dumps(host) + ',"origin":"measured","assay_version":"0.2.0","source_revision":"x",'
            '"command_line":["assay-memory"],"plan_name":"p","resumed":false,"plan":{"name":"p"},"environment":' + environment +
            ',"machine":' + machine + "}")


class Maker:
    """One hostile input of a format by number; the same seed makes the same."""

    def __init__(self, seed, scale=1):
        self.random = random.Random(seed)
        self.scale = scale

    def number(self, small, large):
        return self.random.choice([small, self.random.randint(small, large)]) * self.scale

    def control(self):
        return self.random.choice(CONTROLS)

    def wrap(self):
        return self.random.choice(WRAPS)

    def damaged(self, data):
        """Cut off, repeated, or with single bytes changed."""
        way = self.random.randrange(4)
        if way == 0:
            return data[:self.random.randrange(len(data) + 1)]
        if way == 1:
            at = self.random.randrange(len(data) + 1)
            return data[:at] + data[at:at + self.random.randrange(64)] * self.random.randrange(2, 200) + data[at:]
        changed = bytearray(data)
        for _ in range(self.random.randrange(1, 8)):
            if changed:
                changed[self.random.randrange(len(changed))] = self.random.randrange(256)
        return bytes(changed)

    def numbers_wrapped(self, text):
        """Some of the numbers in a text in another size."""
        parts, digits = [], ""
        for letter in text + "\0":
            if letter.isdigit():
                digits += letter
                continue
            if digits:
                parts.append(self.wrap() if self.random.random() < 0.2 else digits)
            digits = ""
            parts.append(letter)
        return "".join(parts)[:-1]

    def journal(self):
        deep, wide = nested_json(self.number(60, 3000)), wide_json(self.number(10, 6000))
        machine = self.random.choice(["{}", '{"zz":' + deep + "}", wide, '{"a":' + wide + "}", '{"n":' + self.wrap() + "}",
                                      nested_json(self.number(1, 3000), "{}"), "{" * 300])
        line = journal_line(context(machine, run=self.random.choice(["r", "r" + self.control(), "x" * self.number(1, 5000), ""]),
                                    host=self.random.choice(["h", "h" + self.control() + "\nFAIL: x", ""])))
        good = journal_line(context(run="good"))
        return self.random.choice([line + good, self.damaged(line) + b"\n" + good, b"\0" * self.number(1, 200_000), line[:-1],
                                   b"{" * self.number(1, 200_000) + b"\n", good + line * self.random.randrange(1, 50)])

    def verdicts(self):
        row = {"unit": "h" + self.control(), "kind": "host", "metric": "m", "verdict": "PASS", "excused": False, "value": None, "value_unit": "",
               "limit": None, "limit_source": "", "n": 1, "because": "", "meaning": "", "action": ""}
        text = json.dumps({"schema": "assay-verdicts", "version": 1, "command": "check", "subject": "s", "verdict": "PASS", "runs": [],
                           "notes": [self.control()], "rows": [row] * self.random.randrange(1, 30)})
        return self.random.choice([self.damaged(text.encode()), self.numbers_wrapped(text).encode(), nested_json(self.number(60, 5000)).encode(),
                                   wide_json(self.number(4000, 9000)).encode(), ('{"rows":[' + wide_json(self.number(10, 5000)) + "]}").encode(),
                                   text.replace('"rows"', '"rows":' + nested_json(self.number(60, 400)) + ',"rows"').encode()])

    def toml(self, sound):
        deep = "a = " + "[" * self.number(60, 3000) + "1" + "]" * 10
        tables = "[" + ".".join("a" * 3 for _ in range(self.number(10, 500))) + "]\nx = 1\n"
        return self.random.choice([
            self.damaged(sound.encode()), self.numbers_wrapped(sound).encode(), deep.encode(), tables.encode(),
            ("k = '" + "x" * self.number(10, 200_000)).encode(), (sound + f'\nname = "{self.control()}"\n').encode("utf-8", "surrogatepass"),
            "".join(f"k{number} = {self.wrap()}\n" for number in range(self.number(1, 2000))).encode(),
            (sound + "\n[[x]]\n" * self.number(1, 3000)).encode(), ("k = { " * self.number(60, 1000)).encode()])

    def xml(self):
        levels, elements = self.number(60, 3000), self.number(1, 5000)
        attributes = " ".join(f'a{number}="{number}"' for number in range(self.number(10, 5000)))
        sound = '<system version="1"><cpu numaid="0"><pci busid="0000:0f:00.0"><gpu dev="0" sm="90" rank="0"/></pci></cpu></system>'
        return self.random.choice([
            "<a>" * levels + "</a>" * levels, "<s>" + "<a/>" * elements + "</s>", f"<system {attributes}/>", self.numbers_wrapped(sound),
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", f'<system version="{self.control()}"/>', "<!--" + "-" * self.number(1, 100_000),
            sound[:self.random.randrange(len(sound))], "<a b='" + "x" * self.number(1, 100_000)]).encode("utf-8", "surrogatepass")

    def table(self, header, row):
        lines = [header] + [row] * self.number(1, 300)
        lines[self.random.randrange(len(lines))] = self.random.choice([self.numbers_wrapped(row), row + "," * self.number(1, 5000), self.control(), '"' * 99])
        text = "\n".join(lines).encode("utf-8", "surrogatepass")
        return self.random.choice([text, self.damaged(text), (header + ",x" * self.number(1, 5000)).encode()])

    def lines(self, sound):
        one = self.random.choice(sound.splitlines() or [""])
        return self.random.choice([
            self.damaged(sound.encode()), self.numbers_wrapped(sound).encode(), (sound + one * self.number(1, 5000)).encode(),
            (sound + "\n" + self.control() + one + "\n").encode("utf-8", "surrogatepass"), ("x" * self.number(1, 300_000)).encode(),
            (one.replace("1", "[0-999999999999]") + "\n").encode()])

    def json_file(self, sound):
        return self.random.choice([
            self.damaged(sound.encode()), self.numbers_wrapped(sound).encode(), nested_json(self.number(60, 5000)).encode(),
            nested_json(self.number(60, 5000), '{"a":1}').encode(), wide_json(self.number(10, 6000)).encode(), b"[" * self.number(60, 100_000),
            sound.replace('"', f'"{self.control()}', 1).encode("utf-8", "surrogatepass"), ('"' + "x" * self.number(1, 200_000)).encode()])

    def tar(self):
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name in self.random.sample(["bundle.json", "records.jsonl", "../x", "/etc/x", "verdicts.json", "a" * 90], self.random.randrange(1, 5)):
                about = tarfile.TarInfo(name)
                about.type = self.random.choice([tarfile.REGTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE])
                content = self.json_file('{"schema":"assay-bundle","version":1}')[:4096] if about.type == tarfile.REGTYPE else b""
                about.size = len(content)
                archive.addfile(about, io.BytesIO(content))
        data = bytearray(made.getvalue())
        if self.random.random() < 0.5:
            data[124:136] = self.random.choice([b"77777777777\0", b"\x80" + b"\0" * 3 + b"\x7f" * 8, b"-0000000001\0", b"           \0"])
        return self.damaged(bytes(data))

    def kernel_log(self):
        name = self.random.choice(["NVRM: Xid (PCI:", "nvidia-smi", "mlx5_bench", "x" + self.control()])
        records = [f"6,{number},{number},-;{line}" for number, line in enumerate([
            f"{name}[4242]: segfault at 0 ip 0 sp 0 error 4 in {name}[0+1]", f"Out of memory: Killed process 4242 ({name}) total-vm:1kB",
            f"NVRM: Xid (PCI:0000:43:00): {self.wrap()}, pid=1, name={name}", "x" * self.number(1, 20_000)])]
        return self.random.choice([self.numbers_wrapped("\n".join(records)), "\n".join(records) + "\n",
                                   "\n".join(records * self.number(1, 200))]).encode("utf-8", "surrogatepass")


WORDS = ["[[", "]]", "{{", "}}", "[{", "}]", '":{"', '":["', '":null', "<a>", "</a>", "<a/>", "[[x]]", "a.b.c", "'''", "#", ",,,,", "::::",
         "NVRM: Xid (PCI:0000:43:00): ", "]: segfault at ", "Killed process ", '"record":"context"', '"record":"point"', ',"crc32":"']


def quoted(word):
    return '"' + "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in word.encode("utf-8", "surrogatepass")) + '"'


def write_seeds(folder):
    """Inputs of at most 64 KiB, the longest that the fuzzers read, and the words of which hostile ones are made."""
    seeds = folder / "seeds"
    seeds.mkdir(parents=True, exist_ok=True)
    for number in range(40):
        maker = Maker(f"seed/{number}")
        for name, data in (("journal", maker.journal()), ("verdicts", maker.verdicts()), ("toml", maker.toml("a = 1\n[b]\nc = [1, 2]\n")),
                           ("xml", maker.xml()), ("table", maker.table("a,b,c", "1,2,3")), ("lines", maker.lines("a1\tb2 # c\n")),
                           ("json", maker.json_file('{"a":[1,{"b":2}]}')), ("tar", maker.tar()), ("log", maker.kernel_log())):
            (seeds / f"{name}-{number:02d}").write_bytes(data[:65536])
    (folder / "hostile.dict").write_text("".join(quoted(word) + "\n" for word in [*WORDS, *CONTROLS, *WRAPS] if len(word) < 64))


if __name__ == "__main__":
    write_seeds(pathlib.Path(sys.argv[1]))
