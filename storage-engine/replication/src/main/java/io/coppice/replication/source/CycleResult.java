package io.coppice.replication.source;

import io.coppice.replication.Replica;

/// The outcome of one cycle.
///
/// @param replica the replica that the target has now
/// @param resumed whether it went on with a cycle that had not ended
/// @param dataBytes data that was sent, before compression
/// @param holeBytes ranges that became holes
/// @param ranges ranges that differed from the bases
/// @param linkBytes bytes that went over the link to the target
/// @param nothingNew whether the target had everything already
public record CycleResult(
    Replica replica,
    boolean resumed,
    long dataBytes,
    long holeBytes,
    long ranges,
    long linkBytes,
    boolean nothingNew) {}
