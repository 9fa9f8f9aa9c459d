package io.coppice.engine.format;

/// The address of a stored node, and its CRC32C; 0, 0 for none.
public record NodeAddress(long address, int crc) {

  public static final NodeAddress NONE = new NodeAddress(0, 0);
}
