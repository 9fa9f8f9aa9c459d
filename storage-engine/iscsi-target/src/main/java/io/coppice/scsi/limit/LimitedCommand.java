package io.coppice.scsi.limit;

import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import java.util.concurrent.atomic.AtomicLong;

/// A command as the limit of its unit sees it. It may have to wait for its turn, and may be taken
/// out while it waits.
public interface LimitedCommand extends LimitedIo {

  ScsiCommand command();

  /// Bytes of Data-Out that the waiting commands of this command's nexus hold.
  AtomicLong waitingBytes();

  /// Whether it has waited, or waits.
  boolean wasHeld();

  /// Called before it waits, so that it can be taken out.
  void heldBy(UnitLimiter admission);

  /// Whether somebody waits for its end.
  boolean isLeaving();

  /// Ends it if it still waits.
  void takeOut();

  void finish(ScsiResponse response);
}
