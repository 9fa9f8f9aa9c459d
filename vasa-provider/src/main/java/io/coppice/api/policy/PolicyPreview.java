package io.coppice.api.policy;

import java.util.List;

/// The effect that a draft of a policy would have on the volumes that have the policy.
///
/// @param using volumes that have the policy, whatever its edition
/// @param compliant those that would comply
/// @param wouldBreak those that comply now and would not
/// @param alreadyNonCompliant those that do not comply now and would not either
/// @param olderEdition those that were given an edition before the present one
/// @param setAside bytes that would have to be set aside in addition
/// @param sentence the answer in words
/// @param items the oldest of those that would not comply, at most 1000
public record PolicyPreview(
    int using,
    int compliant,
    int wouldBreak,
    int alreadyNonCompliant,
    int olderEdition,
    long setAside,
    String sentence,
    List<UnkeptVolume> items) {}
