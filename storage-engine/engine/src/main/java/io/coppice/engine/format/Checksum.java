package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// The CRC32C of buffers. Not safe for several threads: each has its own.
public final class Checksum {

  private final CRC32C crc = new CRC32C();

  /// The CRC of `length` bytes from absolute index `at`; the buffer's position does not move.
  public int of(ByteBuffer buffer, int at, int length) {
    int limit = buffer.limit();
    int position = buffer.position();
    crc.reset();
    buffer.limit(at + length).position(at);
    crc.update(buffer);
    buffer.limit(limit).position(position);
    return (int) crc.getValue();
  }
}
