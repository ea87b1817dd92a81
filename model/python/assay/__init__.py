# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""assay for modellers: predictions of training steps, searches, fits, simulated fabrics, reliability, and stores.

Every function answers with the JSON of the command of its name (`assay predict --json` and so on) as dicts and lists.
A model, system, execution, fabric, workload or rates is a dict, or the name of its file. Times are in seconds, sizes in
bytes, rates in bytes/s, work in FLOP, unless a key's name says otherwise.
"""

from . import fabric
from ._assay import Error, UsageError
from ._assay import version as __version__
from ._predict import count_space, predict, search, sweep
from ._rates import fit, reliability
from ._store import Store, read

__all__ = ["Error", "Store", "UsageError", "__version__", "count_space", "fabric", "fit", "predict", "read",
           "reliability", "search", "sweep"]
