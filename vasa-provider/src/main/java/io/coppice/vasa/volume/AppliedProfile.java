package io.coppice.vasa.volume;

import io.coppice.vasa.policy.StorageProfile;

/// The edition of a storage profile that a virtual volume was given.
public record AppliedProfile(String id, long generation) {

  public static AppliedProfile of(StorageProfile profile) {
    return new AppliedProfile(profile.id(), profile.generation());
  }
}
