package io.coppice.api.volume;

/// The edition of the policy that a volume was given.
public record PolicyEdition(String id, long generation) {}
