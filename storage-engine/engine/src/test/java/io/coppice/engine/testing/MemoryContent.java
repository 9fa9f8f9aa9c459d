package io.coppice.engine.testing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.TreeMap;

/// A volume's bytes: immutable 4 KiB blocks by number, absent ones are zeros.
///
/// Copies share blocks, so two contents share a block exactly if they hold the same array.
final class MemoryContent {

  static final int BLOCK = 4096;

  private final TreeMap<Long, byte[]> blocks;

  MemoryContent() {
    this(new TreeMap<>());
  }

  private MemoryContent(TreeMap<Long, byte[]> blocks) {
    this.blocks = blocks;
  }

  MemoryContent copy() {
    return new MemoryContent(new TreeMap<>(blocks));
  }

  TreeMap<Long, byte[]> blocks() {
    return blocks;
  }

  void read(long offset, ByteBuffer into) {
    long at = offset;
    while (into.hasRemaining()) {
      int within = (int) (at % BLOCK);
      int count = Math.min(into.remaining(), BLOCK - within);
      byte[] block = blocks.get(at / BLOCK);
      into.put(block == null ? new byte[count] : Arrays.copyOfRange(block, within, within + count));
      at += count;
    }
  }

  void write(long offset, ByteBuffer from) {
    long at = offset;
    while (from.hasRemaining()) {
      int within = (int) (at % BLOCK);
      int count = Math.min(from.remaining(), BLOCK - within);
      byte[] fresh = blockOrZeros(at / BLOCK);
      from.get(fresh, within, count);
      blocks.put(at / BLOCK, fresh);
      at += count;
    }
  }

  /// Zeroes a range; whole blocks inside it are no longer stored.
  void zero(long offset, long length) {
    long end = offset + length;
    long firstWhole = Math.ceilDiv(offset, BLOCK);
    long lastWhole = end / BLOCK;
    if (firstWhole >= lastWhole) {
      zeroWithin(offset, end);
      return;
    }
    zeroWithin(offset, firstWhole * BLOCK);
    blocks.subMap(firstWhole, lastWhole).clear();
    zeroWithin(lastWhole * BLOCK, end);
  }

  private void zeroWithin(long from, long to) {
    long at = from;
    while (at < to) {
      int within = (int) (at % BLOCK);
      int count = (int) Math.min(to - at, BLOCK - within);
      if (blocks.containsKey(at / BLOCK)) {
        byte[] fresh = blockOrZeros(at / BLOCK);
        Arrays.fill(fresh, within, within + count, (byte) 0);
        blocks.put(at / BLOCK, fresh);
      }
      at += count;
    }
  }

  /// Shares the source's blocks; both ranges start at a block.
  void share(MemoryContent source, long sourceBlock, long block, long count) {
    TreeMap<Long, byte[]> taken =
        new TreeMap<>(source.blocks.subMap(sourceBlock, sourceBlock + count));
    blocks.subMap(block, block + count).clear();
    taken.forEach((number, bytes) -> blocks.put(number - sourceBlock + block, bytes));
  }

  boolean holds(long block) {
    return blocks.containsKey(block);
  }

  /// Whether a block of the range is not the same array in both.
  boolean differs(MemoryContent other, long block, long count) {
    return !sameBlocks(other, block, count) || !other.sameBlocks(this, block, count);
  }

  @SuppressWarnings("ReferenceEquality") // the same array is what sharing means
  private boolean sameBlocks(MemoryContent other, long block, long count) {
    return blocks.subMap(block, block + count).entrySet().stream()
        .allMatch(entry -> other.blocks.get(entry.getKey()) == entry.getValue());
  }

  static Set<byte[]> identitySet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  private byte[] blockOrZeros(long number) {
    byte[] old = blocks.get(number);
    return old == null ? new byte[BLOCK] : old.clone();
  }
}
