package io.coppice.scsi.parameter;

import io.coppice.scsi.page.TargetPortGroup.State;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.Optional;

/// The SET TARGET PORT GROUPS parameter list (SPC-5 §6.45).
public sealed interface PortGroupList {

  /// A list that we refuse: nothing of it happens.
  record Refused(SenseData sense) implements PortGroupList {}

  /// The state asked for; empty if the list asks for nothing.
  record Wanted(Optional<State> state) implements PortGroupList {}

  /// Decodes `remaining()` bytes.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB; 0 is not an error
  /// @param group the only group there is
  static PortGroupList decode(ByteBuffer list, int length, int group) {
    ByteBuffer from = list.slice();
    if (length == 0) {
      return new Wanted(Optional.empty());
    }
    if (length < 4 || length % 4 != 0 || from.remaining() < length) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    Optional<State> wanted = Optional.empty();
    for (int at = 4; at < length; at += 4) {
      int code = from.get(at) & 0x0f;
      if (code >= State.values().length) {
        return new Refused(SenseData.invalidParameter(at)); // standby, unavailable, offline
      }
      if (Short.toUnsignedInt(from.getShort(at + 2)) != group) {
        return new Refused(SenseData.invalidParameter(at + 2));
      }
      wanted = Optional.of(State.values()[code]);
    }
    return new Wanted(wanted);
  }
}
