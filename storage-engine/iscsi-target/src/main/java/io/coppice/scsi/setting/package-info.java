/// The settings of the SCSI device server, as records that check themselves.
///
/// Begin with [io.coppice.scsi.setting.ScsiSettings], which holds the others. Every package of the
/// device server may read its own part. Depends on values of `page`, `secret`, `transport` and the
/// engine.
@NullMarked
package io.coppice.scsi.setting;

import org.jspecify.annotations.NullMarked;
