package io.coppice.scsi.reservation;

import org.jspecify.annotations.Nullable;

/// A PERSISTENT RESERVE OUT command with its parameter list (SPC-4 §6.16).
///
/// @param scope 0 is the logical unit
/// @param type as on the wire
/// @param key RESERVATION KEY
/// @param serviceKey SERVICE ACTION RESERVATION KEY
/// @param allPorts ALL_TG_PT
/// @param persist APTPL
/// @param move the destination of REGISTER AND MOVE; null for the other service actions
public record ReserveOut(
    Action action,
    int scope,
    int type,
    long key,
    long serviceKey,
    boolean allPorts,
    boolean persist,
    @Nullable Move move) {

  public ReserveOut {
    if ((action == Action.REGISTER_AND_MOVE) != (move != null)) {
      throw new IllegalArgumentException("expected a move with %s only".formatted(action));
    }
  }

  /// @param unregister UNREG: whether the registration moved from ends
  public record Move(Registrant to, boolean unregister) {}

  /// The service actions we support, in the order of their codes.
  public enum Action {
    REGISTER,
    RESERVE,
    RELEASE,
    CLEAR,
    PREEMPT,
    PREEMPT_AND_ABORT,
    REGISTER_AND_IGNORE_EXISTING_KEY,
    REGISTER_AND_MOVE
  }
}
