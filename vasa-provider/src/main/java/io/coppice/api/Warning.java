package io.coppice.api;

/// A warning beside an answer: something that took effect, or is so, and may be regretted later.
///
/// @param code stable, for programs
public record Warning(String code, String sentence) {}
