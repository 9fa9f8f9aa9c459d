package io.coppice.api.volume;

import java.util.List;

/// A plan of deletions that would give space back, the oldest first.
///
/// @param enough whether it gives back as much as was asked for
/// @param bytes that all of it gives back
/// @param atLeast whether it may be more, because deleted data still waits to be reclaimed
/// @param sentence the answer in words
/// @param candidates how many might have been deleted
public record ReclaimPlan(
    boolean enough,
    long bytes,
    boolean atLeast,
    String sentence,
    int candidates,
    List<ReclaimStep> items) {}
