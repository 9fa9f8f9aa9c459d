package io.coppice.engine.log;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// A command that stores blocks once more. It takes as many as fit into one batch and leaves the
/// rest to the next command: it is never in the log in part.
public abstract class RelocateCommand extends Command {

  private final Log log;
  private final List<ZoneBlock> chosen = new ArrayList<>();
  private int[] payloads = {};
  private long[] places = {};

  protected RelocateCommand(Log log) {
    this.log = log;
  }

  @Override
  protected final boolean isOfHost() {
    return false;
  }

  /// Chooses one more block to store; in [#admit].
  protected final void choose(ZoneBlock block) {
    chosen.add(block);
  }

  /// All chosen blocks.
  protected final List<ZoneBlock> chosen() {
    return chosen;
  }

  /// Number of blocks stored, the first of the chosen ones.
  protected final int stored() {
    return places.length;
  }

  protected final ZoneBlock block(int i) {
    return chosen.get(i);
  }

  /// The place of the i-th block.
  protected final long place(int i) {
    return places[i];
  }

  @Override
  protected final boolean append(Batch batch) {
    payloads = new int[chosen.size()];
    int taken = 0;
    while (taken < chosen.size()) {
      int run = run(chosen, taken);
      int room = batch.roomForRelocate(run);
      if (room > 0) {
        append(batch, taken, room);
        taken += room;
      }
      if (room < run) {
        break;
      }
    }
    if (taken == 0) {
      return false;
    }
    places = new long[taken];
    return true;
  }

  private void append(Batch batch, int from, int count) {
    int[] blocks = new int[count];
    List<ByteBuffer> contents = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      blocks[i] = chosen.get(from + i).block();
      contents.add(chosen.get(from + i).content());
    }
    int payload = batch.relocate(chosen.get(from).segment(), blocks, contents);
    for (int i = 0; i < count; i++) {
      payloads[from + i] = payload + i;
    }
  }

  /// Number of `blocks`, from index `from` on, that one record can name.
  static int run(List<ZoneBlock> blocks, int from) {
    int end = from + 1;
    while (end < blocks.size()
        && blocks.get(end).segment() == blocks.get(from).segment()
        && blocks.get(end).block() > blocks.get(end - 1).block()) {
      end++;
    }
    return end - from;
  }

  @Override
  protected final void stable() {
    for (int i = 0; i < places.length; i++) {
      places[i] = log.placeOf(payloads[i]);
    }
  }
}
