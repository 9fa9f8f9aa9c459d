/// Data that the device server sends: INQUIRY data, VPD pages, mode and log pages, capacities, LUN
/// lists, reservations, the status of copies and ROD tokens. Encoding only; every encoder returns a
/// fresh big-endian buffer from position 0 to its limit.
///
/// Begin with [io.coppice.scsi.page.InquiryData], the answer that every initiator asks for first.
/// Depends on `cdb`, `reservation` and `sense` only.
@NullMarked
package io.coppice.scsi.page;

import org.jspecify.annotations.NullMarked;
