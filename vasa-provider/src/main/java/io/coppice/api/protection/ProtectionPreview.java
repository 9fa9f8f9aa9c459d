package io.coppice.api.protection;

import java.util.List;

/// The effect that a draft of a protection policy would have on the groups that have the policy.
///
/// @param volumes of all groups, each counted in each of its groups
/// @param pointsLost recovery points that would be given up
/// @param pointsLeft recovery points that no rule would give up any more
/// @param tiersLost tiers of continuous points that the draft does not make up for
/// @param sentence the answer in words
/// @param items the groups, by name, at most 1000
public record ProtectionPreview(
    int groups,
    int volumes,
    int pointsLost,
    int pointsLeft,
    List<ContinuousTier> tiersLost,
    String sentence,
    List<GroupPreview> items) {}
