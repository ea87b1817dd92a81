// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU as a site: work is queued behind a gate, released at once, timed by events and by SM cycles.
#pragma once
// Written by the owner of harness/cuda.
