/// Persistent reservations of one logical unit (SPC-4 §5.13) as values: the registrants, the
/// holder, and the effect of a PERSISTENT RESERVE OUT command.
///
/// Begin with [io.coppice.scsi.reservation.ReservationRules].
/// [io.coppice.scsi.reservation.ReservationRecords] keeps reservations in the pool; nothing else
/// here does I/O, and nothing has threads. Depends on `sense` and the engine's records.
@NullMarked
package io.coppice.scsi.reservation;

import org.jspecify.annotations.NullMarked;
