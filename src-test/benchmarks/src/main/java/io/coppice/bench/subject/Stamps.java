package io.coppice.bench.subject;

import io.coppice.engine.Volume;
import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.random.RandomGenerator;

/// The last write of each 4 KiB block of a volume: every block begins with its number and the
/// number of its write. For one thread.
public final class Stamps {

  public static final int BLOCK = 4096;

  /// Nothing is known of a block: never written, or two writes of it were under way at once.
  private static final int UNKNOWN = 0;

  private final int[] last;
  private final long salt;
  private int next;

  public Stamps(long sizeInBytes) {
    this(new int[Math.toIntExact(sizeInBytes / BLOCK)], new Random().nextLong(), 0);
  }

  private Stamps(int[] last, long salt, int next) {
    this.last = last;
    this.salt = salt;
    this.next = next;
  }

  /// What was written so far, whatever is written later.
  public Stamps copy() {
    return new Stamps(last.clone(), salt, next);
  }

  /// Marks what is about to be written at `offset`.
  ///
  /// @param content from its index 0 on
  /// @param bytes a multiple of 4096
  public void put(long offset, ByteBuffer content, int bytes) {
    int block = (int) (offset / BLOCK);
    for (int at = 0; at < bytes; at += BLOCK) {
      next = next == Integer.MAX_VALUE ? 1 : next + 1;
      content.putLong(at, block);
      content.putLong(at + 8, salt ^ next);
      last[block++] = next;
    }
  }

  /// Two writes of it are under way: either may be the last.
  public void forget(long offset, int bytes) {
    for (int at = 0; at < bytes; at += BLOCK) {
      last[(int) ((offset + at) / BLOCK)] = UNKNOWN;
    }
  }

  /// Whether a block may be what was written to it last.
  public boolean matches(long block, ByteBuffer content) {
    int known = last[(int) block];
    return known == UNKNOWN
        || (content.getLong(0) == block && content.getLong(8) == (salt ^ known));
  }

  /// Reads blocks at random places of a volume that is to hold this.
  ///
  /// @throws Mismatch at the first that differs
  public void verify(String what, Volume volume, int blocks) {
    RandomGenerator random = new Random(blocks);
    ByteBuffer content = ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).slice(0, BLOCK);
    for (int i = 0; i < blocks; i++) {
      int block = random.nextInt(last.length);
      volume.read((long) block * BLOCK, content.clear());
      if (!matches(block, content)) {
        throw new Mismatch(
            "expected block %d of %s as written last (%d), it begins with %d, %d"
                .formatted(
                    block, what, last[block], content.getLong(0), content.getLong(8) ^ salt));
      }
    }
  }

  /// Blocks that this knows of.
  public int blocks() {
    return last.length;
  }
}
