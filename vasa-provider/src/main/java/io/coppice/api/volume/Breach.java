package io.coppice.api.volume;

/// A difference between the policy and the volume. A time of `PT0S` means switched off.
public record Breach(String capability, String expected, String current) {}
