package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// The process that is killed: opens a pool, writes to one of its volumes at depth 32, reports when
/// so many writes are stable, and goes on writing until its end.
///
/// Arguments: the pool's directory, the volume, the number of writes, a number to tell this process
/// from those before it.
public final class RecoveryChild {

  static final String STABLE = "stable";
  static final int BLOCK = 4096;
  private static final int DEPTH = 32;

  private RecoveryChild() {}

  public static void main(String[] arguments) {
    endWithParent();
    try (StorageEngine engine =
        PoolDirectory.open(Path.of(arguments[0]), EngineOptions.defaults())) {
      Stage.whole(engine).checkpoint(); // so that the writes are all that is to be replayed
      Volume volume = engine.open(VolumeId.parse(arguments[1]));
      long blocks = volume.sizeInBytes() / BLOCK;
      long count = Long.parseLong(arguments[2]);
      long tag = Long.parseLong(arguments[3]);
      write(volume, blocks, 0, count, tag);
      System.out.println(STABLE);
      for (long next = count; ; next += count) {
        write(volume, blocks, next, next + count, tag);
      }
    }
  }

  private static void write(Volume volume, long blocks, long from, long to, long tag) {
    Bed.inSteps(
        to - from,
        1,
        DEPTH,
        (number, done) ->
            volume.write(place(from + number, blocks) * BLOCK, block(from + number, tag), done));
  }

  /// Where a write goes: no two of any that are near in time to the same block.
  static long place(long number, long blocks) {
    return number * 2_654_435_761L % blocks;
  }

  /// A block that the device can be read into.
  static ByteBuffer buffer() {
    return ByteBuffer.allocateDirect(2 * BLOCK).alignedSlice(BLOCK).slice(0, BLOCK);
  }

  private static ByteBuffer block(long number, long tag) {
    ByteBuffer block = buffer();
    for (int at = 0; at < BLOCK; at += Long.BYTES) {
      block.putLong(at, number ^ (long) at * 0x9E37_79B9_7F4A_7C15L);
    }
    return block.putLong(Long.BYTES, tag);
  }

  private static void endWithParent() {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                while (System.in.read() >= 0) {
                  continue;
                }
              } catch (IOException e) {
                System.err.println("the parent is gone: " + e.getMessage());
              }
              Runtime.getRuntime().halt(1);
            });
  }
}
