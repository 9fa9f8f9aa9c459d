package io.coppice.engine.segment;

/// The location of a stored page: its address among the nodes of maps, and its CRC32C.
public record StoredPage(long address, int crc) implements BlockLocations.Moved {}
