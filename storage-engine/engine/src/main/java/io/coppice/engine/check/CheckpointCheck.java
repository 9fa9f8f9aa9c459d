package io.coppice.engine.check;

import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The chunks of the checkpoint's tables, last one first: each intact, where the one behind it
/// says, in order, and together the tables.
final class CheckpointCheck {

  private final PoolReader reader;
  private final Findings findings;
  private final List<Placed> chunks = new ArrayList<>();

  /// Blocks that a chunk takes.
  record Placed(long offset, int blocks) {}

  CheckpointCheck(PoolReader reader, Findings findings) {
    this.reader = reader;
    this.findings = findings;
  }

  /// Chunks that read.
  List<Placed> chunks() {
    return chunks;
  }

  /// @param features of the pool
  /// @return null if they do not read, which is a finding
  @Nullable Tables run(Superblock.Root root, Superblock.Features features) {
    ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    Superblock.Root at = root;
    int number = -1;
    while (number != 0) {
      ByteBuffer bytes = chunk(at, number);
      if (bytes == null) {
        return null;
      }
      number = Chunk.number(bytes);
      pieces.addFirst(Chunk.bytes(bytes));
      chunks.add(new Placed(at.offset(), PoolLayout.blocksFor(at.length())));
      at = Chunk.before(bytes);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    pieces.forEach(all::writeBytes);
    try {
      return Tables.decode(all.toByteArray(), features);
    } catch (FormatException e) {
      findings.damage(
          Structure.CHECKPOINT, reader.where(root.offset()), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable ByteBuffer chunk(Superblock.Root at, int behind) {
    Where where = reader.where(at.offset());
    if (at.offset() % PoolLayout.BLOCK != 0
        || where.zone() < 0
        || at.length() < Chunk.HEADER
        || at.length() > PoolReader.WINDOW
        || reader.zoneOf(at.offset() + at.length() - 1) != where.zone()) {
      findings.damage(
          Structure.CHECKPOINT,
          where,
          "expected a chunk inside one zone, found %d bytes at %d"
              .formatted(at.length(), at.offset()));
      return null;
    }
    ByteBuffer bytes =
        reader.read(
            at.offset(),
            PoolLayout.blocksFor(at.length()) * PoolLayout.BLOCK,
            Structure.CHECKPOINT,
            where);
    if (bytes == null) {
      return null;
    }
    try {
      Chunk.check(bytes, reader.pool(), at);
    } catch (FormatException e) {
      findings.damage(Structure.CHECKPOINT, where, String.valueOf(e.getMessage()));
      return null;
    }
    int number = Chunk.number(bytes);
    if (number < 0 || (behind >= 0 && number != behind - 1)) {
      findings.damage(
          Structure.CHECKPOINT,
          where,
          "expected chunk %d, found chunk %d".formatted(behind - 1, number));
      return null;
    }
    return bytes;
  }
}
