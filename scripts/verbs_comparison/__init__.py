# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-rdma beside perftest on one virtual host (docs/evidence/perftest.md).
