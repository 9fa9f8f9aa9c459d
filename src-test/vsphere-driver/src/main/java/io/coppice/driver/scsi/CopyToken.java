package io.coppice.driver.scsi;

import java.nio.ByteBuffer;

/// A ROD token as POPULATE TOKEN makes it (SPC-4 §5.17.6.4): 512 bytes that stand for blocks.
public record CopyToken(ByteBuffer bytes) {
  public static final int BYTES = 512;

  private static final int POPULATE_BYTES = 32;
  private static final int WRITE_BYTES = 552;
  private static final int STATUS_BYTES = 32;

  /// Bytes of the reply of RECEIVE ROD TOKEN INFORMATION.
  static final int INFORMATION_BYTES = STATUS_BYTES + 6 + BYTES;

  private static final int COMPLETED = 0x01;

  public CopyToken {
    if (bytes.remaining() != BYTES) {
      throw new IllegalArgumentException(
          "expected a token of %d bytes, got %d".formatted(BYTES, bytes.remaining()));
    }
    bytes = bytes.slice();
  }

  /// The parameter list of POPULATE TOKEN (SBC-4 §5.12.2) with one range.
  static ByteBuffer populateList(long lba, int blocks) {
    ByteBuffer list = ByteBuffer.allocate(POPULATE_BYTES);
    list.putShort(0, (short) (POPULATE_BYTES - 2)).putShort(14, (short) 16);
    return list.putLong(16, lba).putInt(24, blocks);
  }

  /// The parameter list of WRITE USING TOKEN (SBC-4 §5.59.2) with one range.
  ///
  /// @param offset blocks of the token to skip
  ByteBuffer writeList(long offset, long lba, int blocks) {
    ByteBuffer list = ByteBuffer.allocate(WRITE_BYTES);
    list.putShort(0, (short) (WRITE_BYTES - 2)).putLong(8, offset);
    list.put(16, bytes, bytes.position(), BYTES).putShort(534, (short) 16);
    return list.putLong(536, lba).putInt(544, blocks);
  }

  /// The token in the reply of RECEIVE ROD TOKEN INFORMATION.
  static CopyToken decode(ByteBuffer data) {
    if (data.remaining() != INFORMATION_BYTES || data.get(data.position() + 5) != COMPLETED) {
      throw new IllegalArgumentException(
          "expected a finished operation with one token, got %d bytes".formatted(data.remaining()));
    }
    return new CopyToken(data.slice(data.position() + STATUS_BYTES + 6, BYTES));
  }
}
