package io.coppice.engine.format;

/// The address of a stored node, and its CRC32C; 0, 0 for none.
public record NodeAddress(long address, int crc) {

  public static final NodeAddress NONE = new NodeAddress(0, 0);

  public void encode(ByteSink out) {
    out.u64(address).u32(crc);
  }

  public static NodeAddress decode(ByteSource in) {
    return new NodeAddress(in.u64(), in.u32());
  }
}
