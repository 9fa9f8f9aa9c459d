package io.coppice.api.system;

/// The versions of the software and of the API.
///
/// @param version of the software
/// @param api version of the API, as in its paths
public record SoftwareVersion(String version, String api) {}
