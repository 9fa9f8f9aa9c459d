package io.coppice.replication.message;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// The checksums of data on its way: CRC-32C of each block of 4096 bytes, as the engine has them.
public final class Checksums {

  private static final int BLOCK = 4096;

  private Checksums() {}

  /// Those of the remaining bytes, whose position stays.
  public static List<Integer> of(ByteBuffer data) {
    List<Integer> checksums = new ArrayList<>((data.remaining() + BLOCK - 1) / BLOCK);
    CRC32C crc = new CRC32C();
    for (int at = data.position(); at < data.limit(); at += BLOCK) {
      crc.reset();
      crc.update(data.slice(at, Math.min(BLOCK, data.limit() - at)));
      checksums.add((int) crc.getValue());
    }
    return checksums;
  }
}
