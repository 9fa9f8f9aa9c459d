package io.coppice.driver.scsi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// One descriptor of GET LBA STATUS, SBC-4 §5.10: a run of blocks in one provisioning state.
public record LbaStatus(long lba, long blocks, int state) {
  public static final int MAPPED = 0;
  public static final int DEALLOCATED = 1;
  public static final int ANCHORED = 2;

  static List<LbaStatus> decode(ByteBuffer b) {
    List<LbaStatus> found = new ArrayList<>();
    for (int at = 8; at + 16 <= b.remaining(); at += 16) {
      found.add(
          new LbaStatus(
              b.getLong(at), Integer.toUnsignedLong(b.getInt(at + 8)), b.get(at + 12) & 0x0F));
    }
    return List.copyOf(found);
  }
}
