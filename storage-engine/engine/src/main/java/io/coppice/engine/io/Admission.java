package io.coppice.engine.io;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.Command;
import io.coppice.engine.log.Committer;
import io.coppice.engine.map.MapReader;
import io.coppice.engine.map.NodeCache;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.util.ArrayDeque;

/// The gate for changes of content on their way to the committer, which never reads the device. It
/// brings the nodes of maps that a change will touch into memory. While too much memory is taken by
/// nodes that are in no checkpoint, changes wait for one.
public final class Admission {

  /// A command that touches maps.
  interface Touching {

    /// Reports every run of blocks whose nodes it needs, until the first refusal.
    ///
    /// @return whether none was refused
    boolean touches(Ranges ranges);

    /// Ends the command before the committer has seen it.
    void refuse(StorageException reason);

    /// Notes that the command waits for the committer from that time of [System#nanoTime] on, after
    /// nodes were read for it.
    default void entersQueue(long at) {}
  }

  /// The receiver of the blocks of a volume that a command touches.
  interface Ranges {
    /// @return whether to go on
    boolean range(VolumeState volume, long first, long blocks);
  }

  private static final Ranges RESIDENT =
      (volume, first, blocks) -> MapReader.touch(volume.head().root(), first, blocks);

  private final PoolState state;
  private final Committer committer;
  private final BlockReads reads;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(); // guarded by itself
  private volatile boolean open; // whoever comes may pass, full or not

  public Admission(PoolState state, Committer committer, BlockReads reads) {
    this.state = state;
    this.committer = committer;
    this.reads = reads;
  }

  /// Hands a command on, at once if all it needs is in memory. Never blocks.
  <C extends Command & Touching> void submit(C command) {
    boolean isResident;
    try {
      if (state.nodes().isFull() && !open && putAside(command)) {
        return;
      }
      isResident = command.touches(RESIDENT);
      if (!isResident) {
        reads.execute(() -> load(command));
      }
    } catch (RuntimeException | Error e) { // the pool is closed, or there is no memory for it
      command.refuse(BlockReads.failureOf(e));
      return;
    }
    if (isResident) {
      committer.submit(command);
    }
  }

  /// As [#submit], for a thread that may commit itself, where it can.
  ///
  /// @param mayLoad whether it may also load what is missing
  <C extends Command & Touching> void execute(C command, boolean mayLoad) {
    if (state.nodes().isFull() && !open && putAside(command)) {
      return;
    }
    if (command.touches(RESIDENT)) {
      committer.execute(command);
    } else if (!mayLoad || !reads.enter()) {
      submit(command);
    } else {
      try {
        if (loadNodes(command)) {
          command.entersQueue(System.nanoTime());
          committer.execute(command);
        }
      } finally {
        reads.leave();
      }
    }
  }

  private <C extends Command & Touching> boolean putAside(C command) {
    synchronized (waiting) {
      if (open || !state.nodes().isFull()) {
        return false;
      }
      waiting.add(() -> submit(command));
    }
    committer.wake();
    return true;
  }

  private <C extends Command & Touching> void load(C command) {
    if (loadNodes(command)) {
      command.entersQueue(System.nanoTime());
      committer.submit(command);
    }
  }

  /// Brings the nodes that a command needs into memory; ends the command if it cannot.
  ///
  /// @return whether they are there
  private boolean loadNodes(Touching command) {
    NodeCache nodes = state.nodes();
    nodes.awaitRoom();
    try {
      int ticket = state.epochs().enter();
      try {
        command.touches(
            (volume, first, blocks) -> {
              try {
                MapReader.load(volume.head().root(), first, blocks, nodes);
                return true;
              } catch (StorageException e) {
                throw BlockReads.notMapped(volume, first, blocks, e);
              }
            });
      } finally {
        state.epochs().leave(ticket);
      }
    } catch (RuntimeException | Error e) {
      command.refuse(BlockReads.failureOf(e));
      return false;
    }
    return true;
  }

  /// Whether a command waits for a checkpoint.
  public boolean isAnyWaiting() {
    synchronized (waiting) {
      return !waiting.isEmpty();
    }
  }

  /// Says whether all commands may pass, however much is dirty, because no checkpoint can help.
  public void setOpen(boolean now) {
    if (open != now) {
      synchronized (waiting) {
        open = now;
      }
    }
  }

  /// Lets the waiting commands try again.
  public void retryAll() {
    ArrayDeque<Runnable> all;
    synchronized (waiting) {
      all = new ArrayDeque<>(waiting);
      waiting.clear();
    }
    all.forEach(Runnable::run);
  }
}
