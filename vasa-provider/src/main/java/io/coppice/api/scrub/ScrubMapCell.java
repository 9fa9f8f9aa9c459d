package io.coppice.api.scrub;

/// A zone of the pool, or several.
///
/// @param state `free`, `verified`, `earlier`, `waiting`, `running` or `damaged`
/// @param findings of damage that are known there, replaced ones too
public record ScrubMapCell(String state, int findings) {}
