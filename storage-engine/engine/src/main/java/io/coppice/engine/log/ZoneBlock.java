package io.coppice.engine.log;

import java.nio.ByteBuffer;

/// A block stored in a zone, as it was read.
///
/// @param segment and `block`: its address
/// @param place its number among all blocks of all zones
/// @param crc the CRC in the batch
/// @param intact whether its bytes match it
/// @param content valid until the next zone is read
public record ZoneBlock(
    int segment, int block, long place, int crc, boolean intact, ByteBuffer content) {}
