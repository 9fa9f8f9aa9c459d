package io.coppice.api.volume;

/// A range in which two volumes differ, in bytes.
public record DifferenceRange(long offset, long length) {}
