package io.coppice.iscsi.connection;

import io.coppice.iscsi.pdu.SerialNumber;
import org.jspecify.annotations.Nullable;

/// The order and number of the commands of a session (RFC 7143 §4.2.2.1, Command Numbering and
/// Acknowledging).
///
/// Invariants: `size` slots; ExpCmdSN is the number of the next command; MaxCmdSN = ExpCmdSN - 1 +
/// size - (commands taken and not ended), so it never goes back. A command that comes before its
/// turn waits in its slot. Belongs to the connection's thread.
public final class CommandWindow {

  /// The place of a numbered PDU.
  public enum Place {
    /// Its turn.
    NEXT,
    /// Within the window, but others come before it.
    EARLY,
    /// Outside: ignored without an answer.
    OUTSIDE
  }

  /// A command that came before its turn.
  @FunctionalInterface
  public interface Early {
    void run();

    /// Gives back what it holds, if anything: its turn will not come.
    default void drop() {}
  }

  /// A power of two of slots, so that slots stay apart where the numbers wrap.
  private final @Nullable Early[] waiting;

  private int expCmdSn;
  private int maxCmdSn;

  public CommandWindow(int size, int firstCmdSn) {
    this.waiting = new @Nullable Early[Integer.highestOneBit(2 * size - 1)];
    this.expCmdSn = firstCmdSn;
    this.maxCmdSn = firstCmdSn + size - 1;
  }

  public int expCmdSn() {
    return expCmdSn;
  }

  public int maxCmdSn() {
    return maxCmdSn;
  }

  public Place placeOf(int cmdSn) {
    if (!SerialNumber.within(cmdSn, expCmdSn, maxCmdSn)) {
      return Place.OUTSIDE;
    }
    if (cmdSn == expCmdSn) {
      return Place.NEXT;
    }
    return waiting[slot(cmdSn)] == null ? Place.EARLY : Place.OUTSIDE;
  }

  /// Keeps a command until those before it have come.
  public void hold(int cmdSn, Early command) {
    waiting[slot(cmdSn)] = command;
  }

  /// Takes the next command's number: call before it starts. Then call [#nextWaiting].
  public void advance() {
    expCmdSn++;
  }

  /// Counts a number as received that will never come (RFC 7143 §11.5.1, on RefCmdSN).
  public void skip(int cmdSn) {
    if (placeOf(cmdSn) != Place.OUTSIDE) {
      hold(cmdSn, this::ended);
    }
  }

  /// The command whose turn it is if it came early, with its number taken.
  @Nullable
  public Early nextWaiting() {
    int slot = slot(expCmdSn);
    Early command = waiting[slot];
    if (command != null) {
      waiting[slot] = null;
      expCmdSn++;
    }
    return command;
  }

  /// Whether commands wait for one that has not come.
  public boolean hasWaiting() {
    for (Early each : waiting) {
      if (each != null) {
        return true;
      }
    }
    return false;
  }

  /// A numbered command has ended: its place is free again.
  public void ended() {
    maxCmdSn++;
  }

  /// Drops what waits.
  public void clear() {
    for (int slot = 0; slot < waiting.length; slot++) {
      Early command = waiting[slot];
      waiting[slot] = null;
      if (command != null) {
        command.drop();
      }
    }
  }

  private int slot(int cmdSn) {
    return cmdSn & (waiting.length - 1);
  }
}
