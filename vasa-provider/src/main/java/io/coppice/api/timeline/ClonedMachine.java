package io.coppice.api.timeline;

import java.time.Instant;
import java.util.List;

/// The clones of the disks of a virtual machine.
///
/// @param point what they hold: that of the machine at this moment
public record ClonedMachine(Instant point, List<ClonedDisk> volumes) {

  public ClonedMachine {
    volumes = List.copyOf(volumes);
  }
}
