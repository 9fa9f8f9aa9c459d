package io.coppice.scsi.unit;

import io.coppice.scsi.reservation.Registrant;
import io.coppice.scsi.transport.Nexus;

/// A nexus as reservations see it: the holder of an SPC-2 reservation, or a registrant. Compared by
/// identity: a nexus that comes back is another one.
public interface Reserver extends Nexus {

  /// Its name in persistent reservations.
  Registrant registrant();
}
