package io.coppice.scsi.command;

import io.coppice.scsi.page.TargetPortGroup.State;
import io.coppice.scsi.task.NexusState;
import io.coppice.scsi.task.Nexuses;
import io.coppice.scsi.task.UnitAttention;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.TargetPort;
import io.coppice.scsi.transport.UnitAddress;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The asymmetric access states that hosts have set at one target (SPC-5 §5.16): one for each
/// protocol endpoint with all of its subsidiary units, one for each plain unit. They last until a
/// restart. Safe for any thread.
final class AccessStates {

  private static final long WELL_KNOWN = -1;

  private final ConcurrentHashMap<Long, State> set = new ConcurrentHashMap<>();
  private final TargetPort port;
  private final Nexuses nexuses;

  AccessStates(TargetPort port, Nexuses nexuses) {
    this.port = port;
    this.nexuses = nexuses;
  }

  /// The state that was set for the unit of that LUN; null if none was.
  @Nullable State of(LogicalUnitNumber lun) {
    return set.get(group(lun));
  }

  /// Sets a state. All other nexuses that have addressed a unit of the group hear of a change.
  void set(LogicalUnitNumber lun, State wanted, NexusState by) {
    long group = group(lun);
    State before = set.put(group, wanted);
    if ((before == null ? State.OPTIMIZED : before) != wanted) {
      nexuses.raiseAt(
          UnitAttention.ACCESS_STATE_CHANGED,
          nexus -> nexus != by && nexus.target().equals(port.name()),
          address -> group(address) == group);
    }
  }

  /// The number of the endpoint, or of the plain unit: all forms of a LUN have the same.
  private static long group(LogicalUnitNumber lun) {
    return switch (UnitAddress.of(lun)) {
      case UnitAddress.Single(long number) -> number;
      case UnitAddress.Subsidiary(long administrative, long _) -> administrative;
      case UnitAddress.WellKnown _, UnitAddress.Unknown _ -> WELL_KNOWN;
    };
  }
}
