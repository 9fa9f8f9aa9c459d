/// Command descriptor blocks as values: decoding and the table of commands. No behaviour.
///
/// Entry point: [io.coppice.scsi.cdb.CdbDecoder]. Depends on `sense` and `reservation`.
@NullMarked
package io.coppice.scsi.cdb;

import org.jspecify.annotations.NullMarked;
