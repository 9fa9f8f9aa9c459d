package io.coppice.vasa.binding;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.VasaException;

/// The outcome of an unbind, or of the end of a binding change.
public sealed interface UnbindOutcome {

  VolumeId id();

  /// One bind of the volume was taken back, or all of them.
  record Done(VolumeId id) implements UnbindOutcome {}

  /// Nothing changed.
  record Refused(VolumeId id, VasaException why) implements UnbindOutcome {}
}
