package io.coppice.engine.core;

/// A stored block that is not what it should be.
record SuspectBlock(int segment, int block, long place) {}
