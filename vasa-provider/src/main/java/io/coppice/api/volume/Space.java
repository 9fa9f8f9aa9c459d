package io.coppice.api.volume;

/// Space in bytes. `shared` is the part of `mapped` that is not `unique`. `freedIfDeleted` is what
/// the pool gets back when this volume alone is deleted. It may exceed `unique`: what deleted
/// relatives left for this volume and one other volume goes, too.
public record Space(
    long size, long mapped, long shared, long unique, long reserved, long freedIfDeleted) {}
