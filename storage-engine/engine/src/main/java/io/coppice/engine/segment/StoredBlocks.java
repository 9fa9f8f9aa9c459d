package io.coppice.engine.segment;

import io.coppice.engine.format.table.LiveRow;
import org.jspecify.annotations.Nullable;

/// The live blocks of one segment and their places at the cut of a checkpoint.
public final class StoredBlocks {

  private final int segment;
  private final Segment.Kind kind;
  private final int zone;
  private final BlockSet alive;
  private final @Nullable RelocatedBlocks places;

  StoredBlocks(
      int segment, Segment.Kind kind, int zone, BlockSet alive, @Nullable RelocatedBlocks places) {
    this.segment = segment;
    this.kind = kind;
    this.zone = zone;
    this.alive = alive;
    this.places = places;
  }

  public int segment() {
    return segment;
  }

  public Segment.Kind kind() {
    return kind;
  }

  /// Number of blocks in a zone.
  public int blocks() {
    return alive.blocks();
  }

  public boolean isAlive(int block) {
    return block < blocks() && alive.contains(block);
  }

  /// The place of a block: its number among all blocks of all zones.
  public long placeOf(int block) {
    long moved = places == null ? RelocatedBlocks.HOME : places.of(block);
    return moved == RelocatedBlocks.HOME ? (long) zone * blocks() + block : moved;
  }

  @Nullable RelocatedBlocks places() {
    return places;
  }

  MovedBlocks movedBlocks(RelocatedBlocks to) {
    return new MovedBlocks(segment, alive, to);
  }

  /// The row of the tables.
  ///
  /// @param more blocks that came to life with this checkpoint; absent: none
  public LiveRow row(long @Nullable [] more) {
    long[] words = alive.words();
    for (int word = 0; more != null && word < words.length; word++) {
      words[word] |= more[word];
    }
    return new LiveRow(segment, words);
  }
}
