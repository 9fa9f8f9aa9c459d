package io.coppice.engine.range;

/// A run of bytes with one provisioning state (SBC-4, GET LBA STATUS).
///
/// @param mapped whether data is stored for the run; if not, it reads as zeros
public record MappedRange(ByteRange range, boolean mapped) {}
