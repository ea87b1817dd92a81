# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Bundles that were altered, and bundles that somebody made anew: with a chain that is right, and other limits, records or verdicts.
import gzip
import hashlib
import io
import json
import random
import tarfile

from mutation import CONTROL, MAY_PASS, MUST_NOT_PASS, Mutation

SAME_VERDICTS = "judged so, the same is said: the seal tells the two apart"
LOOSER = "the limits that replay was given are looser, and its verdict names them"


def replayed(change, *flags, sealed=False):
    def ask(workshop):
        made = workshop.file("changed.bundle", change(workshop.shared.bundle_bytes))
        seal = ("--seal", workshop.shared.seal) if sealed else ()
        return workshop.run("replay", made, *seal, *flags)
    return ask


def flipped(share, bit):
    def change(data):
        at = int((len(data) - 1) * share)
        return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]
    return change


def bytes_rows():
    yield Mutation("replay: controls", "nothing changed", "without a seal", replayed(lambda data: data), CONTROL)
    yield Mutation("replay: controls", "nothing changed", "with its seal", replayed(lambda data: data, sealed=True), CONTROL)
    draw = random.Random(7)
    for number in range(240):
        share, bit = draw.random(), draw.randrange(8)
        yield Mutation("replay: altered bytes", "one bit", f"{number}", replayed(flipped(share, bit)))
    for number in range(40):
        share = number / 40
        yield Mutation("replay: altered bytes", "its end", f"cut at {100 * share:g} %", replayed(lambda data, share=share: data[:int(len(data) * share)]))
    for cut in (1, 2, 511, 512, 513, 1024, 1536):
        yield Mutation("replay: altered bytes", "its end", f"cut by {cut} bytes", replayed(lambda data, cut=cut: data[:-cut]))
        yield Mutation("replay: altered bytes", "its end", f"{cut} zeros behind", replayed(lambda data, cut=cut: data + bytes(cut)))
        yield Mutation("replay: altered bytes", "its begin", f"cut by {cut} bytes", replayed(lambda data, cut=cut: data[cut:]))
    for kind, change in {"compressed": gzip.compress, "twice": lambda data: data + data, "empty": lambda data: b"", "zeros": lambda data: bytes(len(data)),
                         "text": lambda data: b"PASS\n", "as hexadecimal": lambda data: data.hex().encode()}.items():
        yield Mutation("replay: altered bytes", "whole", kind, replayed(change))


def seal_rows():
    for seal in ("", "0" * 64, "f" * 63, "f" * 65, "G" * 64, " ", "none", "0x" + "0" * 62):
        yield Mutation("replay: seals", "another", f"'{seal[:12]}'", replayed(lambda data: data, f"--seal={seal}"))
    for kind, of in {"in capitals": str.upper, "with a blank": lambda seal: seal + " ", "its first half": lambda seal: seal[:32],
                     "its last digit another": lambda seal: seal[:-1] + ("0" if seal[-1] != "0" else "1")}.items():
        def ask(workshop, of=of):
            return workshop.run("replay", workshop.file("b", workshop.shared.bundle_bytes), "--seal", of(workshop.shared.seal))
        yield Mutation("replay: seals", "its own", kind, ask)


def members_of(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return [(member.name, archive.extractfile(member).read()) for member in archive.getmembers()]


def header(name, size):
    """As in results/bundle/tar.cpp: no owner, no time."""
    block = bytearray(512)
    for at, text in ((0, name), (100, "0000644"), (108, "0000000"), (116, "0000000"), (124, f"{size:011o}"), (136, "0" * 11), (156, "0"),
                     (257, "ustar"), (263, "00")):
        block[at:at + len(text)] = text.encode()
    block[148:156] = b" " * 8
    block[148:156] = f"{sum(block):06o}\0 ".encode()
    return bytes(block)


def packed(members):
    return b"".join(header(name, len(content)) + content + bytes(-len(content) % 512) for name, content in members) + bytes(1024)


def chained(members):
    """The chain made anew: see results/bundle/chain.cpp."""
    members = [member for member in members if member[0] not in ("SHA256SUMS", "CHAIN")]
    line = lambda digest, name: f"{digest}  {name}\n"
    sums = "".join(line(hashlib.sha256(content).hexdigest(), name) for name, content in members)
    members.append(("SHA256SUMS", sums.encode()))
    link, chain = hashlib.sha256(b"assay-bundle").hexdigest(), ""
    for name, content in members:
        link = hashlib.sha256(f"{link}\n{line(hashlib.sha256(content).hexdigest(), name)}".encode()).hexdigest()
        chain += line(link, name)
    return [*members, ("CHAIN", chain.encode())]


def anew(change):
    return lambda data: packed(chained(change(members_of(data))))


def only_tar(change):
    return lambda data: packed(change(members_of(data)))


def content(name, change):
    return lambda members: [(one, change(text) if one.startswith(name) else text) for one, text in members]


def replaced(before, after, count=1):
    def change(text):
        assert before in text, before
        return text.replace(before, after, count)
    return change


def json_of(change):
    def of(text):
        parsed = json.loads(text)
        change(parsed)
        return json.dumps(parsed, indent=2).encode() + b"\n"
    return of


def all_pass(parsed):
    parsed["verdict"] = "PASS"
    parsed["rows"] = parsed["rows"][:1]


def rules(field, value):
    return lambda parsed: parsed["rules"].__setitem__(field, value)


def points_faster(text):
    """One point of the records, twice as fast, its CRC right."""
    from made_up_fleet import closed, closed_body
    from point_damages import slower
    lines = text.split(b"\n")
    at = next(number for number, one in enumerate(lines) if b'"record":"point"' in one)
    record = json.loads(lines[at])
    del record["crc32"]
    slower(0.5)(record)
    lines[at] = closed(closed_body(record))
    return b"\n".join(lines)


MADE_ANEW = {
    "looser limits": content("limits/", replaced(b"lowest = 715", b"lowest = 1")), "limits removed": lambda members: [one for one in members if not one[0].startswith("limits/")],
    "no limits left": content("limits/", lambda text: b""), "stricter limits": content("limits/", replaced(b"lowest = 715", b"lowest = 7150")),
    "places removed": lambda members: [one for one in members if not one[0].startswith("places/")],
    "other places": content("places/", replaced(b"h03,s0", b"h03,s1")), "records removed": content("records", lambda text: b""),
    "half of the records": content("records", lambda text: b"\n".join(text.split(b"\n")[:500]) + b"\n"),
    "a record removed": content("records", lambda text: b"\n".join(text.split(b"\n")[:-3]) + b"\n"),
    "a record faster": content("records", points_faster), "a record damaged": content("records", replaced(b'"status":"ok"', b'"status":"OK"')),
    "verdicts all PASS": content("verdicts.json", json_of(all_pass)), "verdicts empty": content("verdicts.json", lambda text: b"{}"),
    "verdicts text": content("verdicts.json", lambda text: b"PASS"), "other words": content("verdicts.txt", lambda text: b"bundle: PASS\n"),
    "another margin": content("bundle.json", json_of(rules("margin", 0.5))), "margin null": content("bundle.json", json_of(rules("margin", None))),
    "margin NaN": content("bundle.json", replaced(b'"margin": 0.015', b'"margin": NaN')),
    "margin negative": content("bundle.json", json_of(rules("margin", -1.0))), "margin 100": content("bundle.json", json_of(rules("margin", 100.0))),
    "site margin 0.99": content("bundle.json", json_of(rules("site_margin", 0.99))), "all suspects": content("bundle.json", json_of(rules("most_suspects", 1.0))),
    "family error 0.9": content("bundle.json", json_of(rules("family_error", 0.9))), "pass error 1": content("bundle.json", json_of(rules("pass_error", 1.0))),
    "nothing accepted": content("bundle.json", json_of(lambda parsed: parsed.__setitem__("accept", False))),
    "a filter": content("bundle.json", json_of(lambda parsed: parsed.__setitem__("filter", "gemm.*"))),
    "a filter that matches nothing": content("bundle.json", json_of(lambda parsed: parsed.__setitem__("filter", "x"))),
    "version 3": content("bundle.json", json_of(lambda parsed: parsed.__setitem__("version", 3))),
    "version text": content("bundle.json", json_of(lambda parsed: parsed.__setitem__("version", "one"))),
    "another schema": content("bundle.json", json_of(lambda parsed: parsed.__setitem__("schema", "other"))),
    "description empty": content("bundle.json", lambda text: b"{}"), "description missing": lambda members: members[1:],
    "verdicts missing": lambda members: [one for one in members if one[0] != "verdicts.json"],
    "a member unknown": lambda members: [*members[:2], ("notes.txt", b"all well"), *members[2:]],
    "a member twice": lambda members: [*members[:2], members[1], *members[2:]],
    "the limits twice": lambda members: [*members[:3], members[2], *members[3:]],
    "a member of an evil name": lambda members: [*members[:2], ("limits/../../x", b""), *members[2:]],
    "members in reverse": lambda members: members[:-2][::-1],
}
KEPT_CHAIN = {
    **{f"{name} removed": lambda members, name=name: [one for one in members if not one[0].startswith(name)]
       for name in ("bundle.json", "records.jsonl", "limits/", "places/", "verdicts.json", "verdicts.txt", "SHA256SUMS", "CHAIN")},
    **{f"{name} altered": content(name, lambda text: text[:-1] + b"x") for name in
       ("bundle.json", "records.jsonl", "limits/", "places/", "verdicts.json", "verdicts.txt", "SHA256SUMS", "CHAIN")},
    **{f"{name} twice": lambda members, name=name: [copy for one in members for copy in ([one, one] if one[0].startswith(name) else [one])]
       for name in ("bundle.json", "records.jsonl", "limits/", "verdicts.json", "SHA256SUMS", "CHAIN")},
    "a member added": lambda members: [*members[:-2], ("limits/more.toml", b""), *members[-2:]], "in reverse": lambda members: members[::-1],
    "two exchanged": lambda members: [members[1], members[0], *members[2:]], "two names exchanged": lambda members: [
        (members[0][0], members[1][1]), (members[1][0], members[0][1]), *members[2:]],
    "a member renamed": lambda members: [("limits/l.toml", text) if name.startswith("limits/") else (name, text) for name, text in members],
}


def member_rows():
    yield Mutation("replay: made anew", "nothing changed", "packed again", replayed(anew(lambda members: members), sealed=True), CONTROL)
    for kind, change in MADE_ANEW.items():
        expected = (MAY_PASS, SAME_VERDICTS) if kind in ("other places", "all suspects") else (MUST_NOT_PASS,)
        yield Mutation("replay: made anew", "without a seal", kind, replayed(anew(change)), *expected)
        yield Mutation("replay: made anew", "with the seal that was", kind, replayed(anew(change), sealed=True))
    for kind, change in KEPT_CHAIN.items():
        yield Mutation("replay: members", "chain as it was", kind, replayed(only_tar(change)))


def limits_rows():
    from limits_and_places import LIMITS, REPLACED, encoded
    for kind, before, after in REPLACED:
        def ask(workshop, before=before, after=after):
            other = workshop.file("others.toml", encoded(LIMITS.replace(before, after, 1)))
            return workshop.run("replay", workshop.file("b", workshop.shared.bundle_bytes), "--limits", other)
        yield Mutation("replay: other limits", "one place", kind, ask)

    def looser(workshop):
        other = workshop.file("others.toml", LIMITS.replace("715", "100"))
        return workshop.run("replay", workshop.file("b", workshop.shared.bundle_bytes), "--limits", other)
    yield Mutation("replay: other limits", "one place", "looser", looser, MAY_PASS, LOOSER)


def rows():
    for table in (bytes_rows, seal_rows, member_rows, limits_rows):
        yield from table()
