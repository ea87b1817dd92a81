# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-collectives compared with Intel MPI Benchmarks over the same MPI (docs/evidence/mpi-benchmarks.md).
