# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""Inputs as the extension takes them, and its answers as Python has them."""

import collections.abc
import dataclasses
import json
import operator
import os
import warnings

from ._assay import UsageError


def _plain(value):
    """NumPy's numbers and arrays as Python's; dataclasses and mappings as dicts."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, collections.abc.Mapping):
        return dict(value)
    raise TypeError(f"expected numbers, strings, lists, dicts and dataclasses, got {type(value).__name__}")


def _dict_of(name, given):
    try:
        given = given if isinstance(given, dict) else _plain(given)
    except TypeError:
        pass
    if not isinstance(given, dict):
        raise TypeError(f"{name}: expected a file, a dict or a dataclass, got {type(given).__name__}")
    return given


def is_file(given):
    return isinstance(given, (str, os.PathLike))


def path_of(given):
    return os.fspath(given) if given is not None else ""


def paths_of(given):
    return [path_of(one) for one in ([given] if is_file(given) else given)]


def json_source(name, given):
    """(file, None), or what messages call it and its text."""
    if is_file(given):
        return os.fspath(given), None
    try:
        return name, json.dumps(_dict_of(name, given), default=_plain, allow_nan=False)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None


def _toml_value(value):
    if not isinstance(value, (dict, list, tuple, str, int, float)):
        value = _plain(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_key(key)} = {_toml_value(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml_value(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def _toml_key(key):
    return json.dumps(str(key), ensure_ascii=False)


def toml_source(name, given):
    """The same of TOML; one key a line, so that the line of a message is the key's place in the dict."""
    if is_file(given):
        return os.fspath(given), None
    return name, "".join(f"{_toml_key(key)} = {_toml_value(one)}\n" for key, one in _dict_of(name, given).items())


def assignments(given):
    """KEY=VALUE of each; a list of such strings stays as it is."""
    if not isinstance(given, dict):
        return [given] if isinstance(given, str) else list(given)
    return [f"{key}={_word(value)}" for key, value in given.items()]


def _word(value):
    return value if isinstance(value, str) else json.dumps(value, default=_plain)


def time_text(value):
    """Seconds, or a time with its unit as the command line takes it: "5m"."""
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{float(value):.17g}s"


def bytes_text(value):
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{int(value)}"


def one_of(name, value, words):
    if value not in words:
        raise UsageError(f"{name}: expected {', '.join(map(str, words))}; got {value!r}")
    return value


def between(name, value, least, most):
    if not least <= value <= most:
        raise UsageError(f"{name}: expected a number from {least:g} to {most:g}, got {value}")
    return value


def whole(name, value, least, most):
    try:
        return between(name, operator.index(value), least, most)
    except TypeError:
        raise UsageError(f"{name}: expected a whole number from {least:g} to {most:g}, got {value!r}") from None


def switch(value):
    """True, False or "both" as the command line says it."""
    return one_of("fused", {True: "true", False: "false"}.get(value, value), ("true", "false", "both"))


def answer_of(result):
    """The JSON of an answer, after its warnings."""
    text, remarks = result
    for remark in remarks:
        warnings.warn(remark, stacklevel=3)
    return json.loads(text)
