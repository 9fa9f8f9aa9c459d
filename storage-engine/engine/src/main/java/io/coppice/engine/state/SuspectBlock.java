package io.coppice.engine.state;

/// A stored block that is not what it should be.
public record SuspectBlock(int segment, int block, long place) {}
