package io.coppice.api.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The outcome of a check of the whole audit trail.
///
/// @param intact whether nothing was changed, added or removed by others
/// @param sentence what is wrong and where, or that nothing is
/// @param at when it was checked
/// @param entries how many were read
/// @param first number of the first entry that is kept; 0 for none
/// @param last number of the last one; 0 for none
/// @param removed number up to which entries were removed for their age or number; 0 for none
/// @param firstBad number of the first entry that is wrong or missing; null if none is
/// @param poolHead number of the last entry that the pool knows; null if it knows none
/// @param poolHash its hash
/// @param missed calls since the start that could be recorded at no place
/// @param waiting bytes that wait on disk for the database
public record AuditVerification(
    boolean intact,
    String sentence,
    Instant at,
    long entries,
    long first,
    long last,
    long removed,
    @Nullable Long firstBad,
    @Nullable Long poolHead,
    @Nullable String poolHash,
    long missed,
    long waiting) {}
