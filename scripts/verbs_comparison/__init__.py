# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-rdma beside perftest on one virtual host (docs/rdma.md, "Beside perftest").
