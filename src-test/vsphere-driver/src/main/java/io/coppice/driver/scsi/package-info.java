/// SCSI as an initiator sees it: command descriptor blocks, 8-byte logical unit numbers, sense data
/// and the replies a host reads. Entry point: [io.coppice.driver.scsi.LogicalUnit].
@NullMarked
package io.coppice.driver.scsi;

import org.jspecify.annotations.NullMarked;
