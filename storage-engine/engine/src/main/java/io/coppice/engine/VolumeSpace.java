package io.coppice.engine;

/// Space of one volume, in bytes.
///
/// | Component | Meaning |
/// |---|---|
/// | `mapped` | bytes of the volume that have stored data, shared or not |
/// | `unique` | bytes that no other volume of its family shares |
/// | `reserved` | bytes set aside for it beyond what it has already stored |
public record VolumeSpace(long mapped, long unique, long reserved) {}
