package io.coppice.api.policy;

import java.util.List;

/// The outcome of giving the present edition of a policy to the plain volumes that had an older
/// one.
///
/// @param generation of the edition
/// @param applied volumes that have it now
/// @param refused volumes that could not be given it
/// @param vvols those of vCenter that have an older edition
/// @param left plain volumes that have an older edition and were not tried yet
/// @param sentence the answer in words
/// @param items the volumes that could not be given it
public record PolicyApplication(
    long generation,
    int applied,
    int refused,
    int vvols,
    int left,
    String sentence,
    List<RefusedApplication> items) {}
