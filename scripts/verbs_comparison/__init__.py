# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-rdma compared with perftest on one virtual host (docs/evidence/perftest.md).
