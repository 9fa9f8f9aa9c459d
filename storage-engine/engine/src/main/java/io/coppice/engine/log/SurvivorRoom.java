package io.coppice.engine.log;

/// The room for a piece of survivors in a zone: its header at `block`, then its blocks.
///
/// @param segment the id of the zone's segment
public record SurvivorRoom(int segment, int zone, int block) {

  /// The block of the zone at which the i-th of its blocks stands.
  public int blockOf(int i) {
    return block + 1 + i;
  }
}
