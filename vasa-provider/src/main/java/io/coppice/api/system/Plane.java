package io.coppice.api.system;

/// One of the planes.
///
/// @param reason one sentence
public record Plane(boolean ready, String reason) {}
