package io.coppice.api.volume;

import java.util.List;

/// The space that the deletion of a set of volumes and snapshots would give back.
///
/// @param bytes of data that the pool gains
/// @param atLeast whether it may be more, because deleted data still waits to be reclaimed
/// @param sentence the answer in words
public record FreedSet(long bytes, boolean atLeast, String sentence, List<FreedMember> items) {}
