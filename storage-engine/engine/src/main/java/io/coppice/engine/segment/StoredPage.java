package io.coppice.engine.segment;

/// Where a page stands that was stored: its address among the nodes of maps, and its CRC32C.
public record StoredPage(long address, int crc) implements Whereabouts.Moved {}
