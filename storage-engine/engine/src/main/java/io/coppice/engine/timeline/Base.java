package io.coppice.engine.timeline;

/// The content that a volume had before a revert: a hidden version, as long as there are points
/// before it.
///
/// @param moment of the point that the revert made: it is this content
/// @param number of the hidden volume
public record Base(long moment, int number) {}
