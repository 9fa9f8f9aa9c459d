package io.coppice.api.system;

/// The health of the process or of its planes.
///
/// @param ok whether what was asked holds
public record Health(boolean ok, Plane dataPlane, Plane controlPlane) {}
