/// Persistent reservations of one logical unit (SPC-4 §5.13) as values: who is registered, who
/// holds what, and what a PERSISTENT RESERVE OUT command makes of it. No behaviour beyond that: no
/// I/O, no threads. Depends on `sense` only.
@NullMarked
package io.coppice.scsi.reservation;

import org.jspecify.annotations.NullMarked;
