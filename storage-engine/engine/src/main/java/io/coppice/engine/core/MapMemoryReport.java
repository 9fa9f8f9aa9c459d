package io.coppice.engine.core;

/// A report of the nodes of maps in memory, in bytes, and their use since the pool was opened.
///
/// | Component | Meaning |
/// |---|---|
/// | `usedBytes` | content of nodes in memory |
/// | `dirtyBytes` | of that, what no checkpoint has yet |
/// | `loads` | nodes read from the device |
/// | `committerLoads` | of those, read by the committer itself, because they were gone again |
/// | `evicted` | nodes dropped from memory |
/// | `pageLoads` | pages of segments read from the device: where moved blocks lie, and what lives in a zone that is cleaned or scrubbed |
public record MapMemoryReport(
    long usedBytes,
    long dirtyBytes,
    long loads,
    long committerLoads,
    long evicted,
    long pageLoads) {}
