package io.coppice.engine.status;

/// The space of the pool, in bytes.
///
/// | Component | Meaning |
/// |---|---|
/// | `size` | all zones of the pool, those that are kept back as well |
/// | `capacity` | what volumes and metadata together may occupy |
/// | `used` | data and metadata that some volume still needs |
/// | `reclaiming` | freed by a delete or an overwrite, not yet writable again |
/// | `reserved` | set aside for reserved volumes beyond what they have stored |
/// | `free` | what a thin write may still take: never negative |
public record PoolSpace(
    long size, long capacity, long used, long reclaiming, long reserved, long free) {}
