package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check of the chunks of the checkpoint's tables, last one first. Each must be intact in both
/// copies, where the one behind it says, in order, and all together must be the tables.
final class CheckpointCheck {

  private final PoolReader reader;
  private final Findings findings;
  private final List<Placed> chunks = new ArrayList<>();

  /// The blocks that a chunk takes.
  ///
  /// @param twin device offset of its second copy, 0: none
  record Placed(long offset, int blocks, long twin) {}

  CheckpointCheck(PoolReader reader, Findings findings) {
    this.reader = reader;
    this.findings = findings;
  }

  /// The readable chunks.
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
      Piece piece = chunk(at, number, features);
      if (piece == null) {
        return null;
      }
      number = piece.number;
      pieces.addFirst(piece.bytes);
      chunks.add(new Placed(at.offset(), PoolLayout.blocksFor(at.length()), at.twin()));
      at = piece.before;
    }
    try {
      return Tables.decode(new ByteSource(pieces), features, reader.blocksPerZone());
    } catch (FormatException e) {
      findings.damage(
          Structure.CHECKPOINT, reader.where(root.offset()), String.valueOf(e.getMessage()));
      return null;
    }
  }

  /// The content of a chunk.
  private record Piece(int number, byte[] bytes, Superblock.Root before) {}

  private @Nullable Piece chunk(Superblock.Root at, int behind, Superblock.Features features) {
    FindingLocation where = reader.where(at.offset());
    if (!isPossible(at.offset(), at, features)
        || (at.twin() != 0 && !isPossible(at.twin(), at, features))) {
      findings.damage(
          Structure.CHECKPOINT,
          where,
          "expected a chunk inside one zone, found %d bytes at %d and %d"
              .formatted(at.length(), at.offset(), at.twin()));
      return null;
    }
    List<String> problems = new ArrayList<>();
    Piece first = copy(at, at.offset(), features, problems);
    Piece second = at.twin() == 0 ? null : copy(at, at.twin(), features, problems);
    Piece piece = first == null ? second : first;
    for (String problem : problems) {
      if (piece == null) {
        findings.damage(Structure.CHECKPOINT, where, problem);
      } else {
        findings.warning(Structure.CHECKPOINT, where, "one of two copies: " + problem);
      }
    }
    if (piece != null && (piece.number < 0 || (behind >= 0 && piece.number != behind - 1))) {
      findings.damage(
          Structure.CHECKPOINT,
          where,
          "expected chunk %d, found chunk %d".formatted(behind - 1, piece.number));
      return null;
    }
    return piece;
  }

  private boolean isPossible(long offset, Superblock.Root at, Superblock.Features features) {
    int zone = reader.zoneOf(offset);
    return offset % PoolLayout.BLOCK == 0
        && zone >= 0
        && at.length() >= Chunk.header(features)
        && at.length() <= PoolReader.WINDOW
        && reader.zoneOf(offset + at.length() - 1) == zone;
  }

  private @Nullable Piece copy(
      Superblock.Root at, long offset, Superblock.Features features, List<String> problems) {
    int length = PoolLayout.blocksFor(at.length()) * PoolLayout.BLOCK;
    try {
      ByteBuffer bytes = reader.read(offset, length);
      Chunk.check(bytes, reader.pool(), features, at);
      return new Piece(
          Chunk.number(bytes), Chunk.bytes(bytes, features), Chunk.before(bytes, features));
    } catch (FormatException | DeviceException e) {
      problems.add("%s (read at offset %d)".formatted(e.getMessage(), offset));
      return null;
    }
  }
}
