package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// GET LBA STATUS parameter data (SBC-4 §5.6.2).
public final class LbaStatus {

  private static final int HEADER = 8;
  private static final int DESCRIPTOR = 16;
  private static final long LONGEST = 0xffff_ffffL;

  private LbaStatus() {}

  /// Blocks with one provisioning status.
  public record Run(long lba, long blocks, State state) {}

  /// PROVISIONING STATUS, in the order of its codes.
  public enum State {
    MAPPED,
    /// Reads as zeros; there may be no space for it.
    DEALLOCATED,
    /// Reads as zeros; space for it is set aside.
    ANCHORED
  }

  /// The number of descriptors that fit into an allocation length, at least 1.
  public static int descriptorsIn(int allocationLength) {
    long room = (long) allocationLength - HEADER + DESCRIPTOR - 1;
    return (int) Math.max(1, room / DESCRIPTOR);
  }

  /// @param runs adjacent, from the starting LBA on
  public static ByteBuffer encode(List<Run> runs) {
    List<Run> pieces = new ArrayList<>();
    for (Run run : runs) {
      long lba = run.lba();
      for (long left = run.blocks(); left > 0; left -= LONGEST) {
        pieces.add(new Run(lba, Math.min(left, LONGEST), run.state()));
        lba += LONGEST;
      }
    }
    ByteBuffer to = ByteBuffer.allocate(HEADER + DESCRIPTOR * pieces.size());
    to.putInt(to.capacity() - 4).putInt(0);
    for (Run piece : pieces) {
      to.putLong(piece.lba()).putInt((int) piece.blocks());
      to.put((byte) piece.state().ordinal()).put((byte) 0).putShort((short) 0);
    }
    return to.flip();
  }
}
