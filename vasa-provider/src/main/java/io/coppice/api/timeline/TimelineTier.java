package io.coppice.api.timeline;

/// A tier of a timeline: how far apart its points are, and how long each is kept.
///
/// @param every in ISO 8601
/// @param keepFor in ISO 8601
public record TimelineTier(String every, String keepFor) {}
