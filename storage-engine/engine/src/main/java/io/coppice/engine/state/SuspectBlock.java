package io.coppice.engine.state;

/// A stored block with the wrong content.
public record SuspectBlock(int segment, int block, long place) {}
