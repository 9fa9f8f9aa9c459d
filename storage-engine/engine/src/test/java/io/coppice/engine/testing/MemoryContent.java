package io.coppice.engine.testing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// A volume's bytes: immutable 4 KiB blocks by number, absent ones are zeros.
///
/// Copies share blocks, so two contents share a block exactly if they hold the same array.
final class MemoryContent {

  static final int BLOCK = 4096;

  private final Uses uses;
  private final TreeMap<Long, byte[]> blocks = new TreeMap<>();

  /// How many times each stored block of a pool is held.
  static final class Uses {
    private final Map<byte[], Integer> counts = new IdentityHashMap<>();

    long storedBytes() {
      return (long) counts.size() * BLOCK;
    }

    int of(byte[] block) {
      return counts.getOrDefault(block, 0);
    }

    private void add(byte[] block) {
      counts.merge(block, 1, Integer::sum);
    }

    private void remove(byte[] block) {
      counts.compute(block, (_, count) -> count == null || count == 1 ? null : count - 1);
    }
  }

  MemoryContent(Uses uses) {
    this.uses = uses;
  }

  MemoryContent copy() {
    MemoryContent copy = new MemoryContent(uses);
    blocks.forEach(copy::set);
    return copy;
  }

  /// Gives all blocks back; the content is then empty.
  void release() {
    blocks.values().forEach(uses::remove);
    blocks.clear();
  }

  NavigableMap<Long, byte[]> blocks() {
    return Collections.unmodifiableNavigableMap(blocks);
  }

  long mappedBytes() {
    return (long) blocks.size() * BLOCK;
  }

  /// Blocks in `first..last-1` that nobody else holds.
  long exclusive(long first, long last) {
    return blocks.subMap(first, last).values().stream()
        .filter(block -> uses.of(block) == 1)
        .count();
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
      set(at / BLOCK, fresh);
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
    clear(firstWhole, lastWhole);
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
        set(at / BLOCK, fresh);
      }
      at += count;
    }
  }

  /// Shares the source's blocks; both ranges start at a block.
  void share(MemoryContent source, long sourceBlock, long block, long count) {
    TreeMap<Long, byte[]> taken =
        new TreeMap<>(source.blocks.subMap(sourceBlock, sourceBlock + count));
    clear(block, block + count);
    taken.forEach((number, bytes) -> set(number - sourceBlock + block, bytes));
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

  private void set(long number, byte[] bytes) {
    uses.add(bytes);
    byte[] old = blocks.put(number, bytes);
    if (old != null) {
      uses.remove(old);
    }
  }

  private void clear(long first, long last) {
    NavigableMap<Long, byte[]> range = blocks.subMap(first, true, last, false);
    range.values().forEach(uses::remove);
    range.clear();
  }

  private byte[] blockOrZeros(long number) {
    byte[] old = blocks.get(number);
    return old == null ? new byte[BLOCK] : old.clone();
  }
}
