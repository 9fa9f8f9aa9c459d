/// Parameter lists that initiators send, decoded: UNMAP, EXTENDED COPY, MODE SELECT and PERSISTENT
/// RESERVE OUT. No behaviour.
///
/// Every decoder gives a value or sense data, never an exception, and allocates no more than the
/// limits it is given allow. Depends on `cdb`, `page` and `sense` only.
@NullMarked
package io.coppice.scsi.parameter;

import org.jspecify.annotations.NullMarked;
