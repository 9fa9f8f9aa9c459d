/// What the device server sends: INQUIRY data, VPD pages, mode pages, capacities, LUN lists.
/// Encoding only; every method returns a fresh big-endian buffer from position 0 to its limit.
///
/// Depends on `cdb`, `reservation` and `sense` only.
@NullMarked
package io.coppice.scsi.page;

import org.jspecify.annotations.NullMarked;
