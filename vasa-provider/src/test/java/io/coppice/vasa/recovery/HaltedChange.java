package io.coppice.vasa.recovery;

import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.function.UnaryOperator;

/// One change.
///
/// @param effect on the state before, what it makes left out
/// @param makes how many volumes it makes, all of them or none
/// @param parts what a halt may leave beside the state before and the effect
/// @param aftermath what else must be so afterwards
record HaltedChange(
    String name,
    Runnable run,
    UnaryOperator<PlaneState> effect,
    int makes,
    List<UnaryOperator<PlaneState>> parts,
    Aftermath aftermath) {

  /// Looks at what the state does not tell.
  @FunctionalInterface
  interface Aftermath {

    /// @param plane started anew, if the change was cut short
    /// @param steps those that the change reached
    /// @param cut whether the process ended at the last of them
    void check(ControlPlane plane, List<String> steps, boolean cut);
  }

  HaltedChange(String name, Runnable run, UnaryOperator<PlaneState> effect, int makes) {
    this(name, run, effect, makes, List.of(), (_, _, _) -> {});
  }
}
