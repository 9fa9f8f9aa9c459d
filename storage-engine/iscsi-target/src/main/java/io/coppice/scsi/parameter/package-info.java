/// Parameter lists that initiators send, decoded: UNMAP, EXTENDED COPY, POPULATE TOKEN, WRITE USING
/// TOKEN, MODE SELECT, SET TARGET PORT GROUPS and PERSISTENT RESERVE OUT. No behaviour.
///
/// Begin with [io.coppice.scsi.parameter.UnmapList], a short one. Every decoder gives a value or
/// sense data, never an exception, and allocates no more than its limits allow. Depends on `cdb`,
/// `page` and `sense` only.
@NullMarked
package io.coppice.scsi.parameter;

import org.jspecify.annotations.NullMarked;
