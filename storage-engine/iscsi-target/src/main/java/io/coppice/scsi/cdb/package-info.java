/// Command descriptor blocks as values: decoding and the table of commands. No behaviour.
///
/// Begin with [io.coppice.scsi.cdb.CdbDecoder]. Depends on `sense` and `reservation`.
@NullMarked
package io.coppice.scsi.cdb;

import org.jspecify.annotations.NullMarked;
