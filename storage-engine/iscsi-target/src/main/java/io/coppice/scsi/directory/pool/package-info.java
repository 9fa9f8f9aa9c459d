/// The directory of logical units as the pool keeps it: bindings to protocol endpoints, exports at
/// plain numbers, hosts, and numbers that rest after they were freed.
///
/// Begin with [io.coppice.scsi.directory.pool.PoolLunDirectory]; what changes is checked against
/// [io.coppice.scsi.directory.pool.DirectoryState] and written by
/// [io.coppice.scsi.directory.pool.DirectoryRecords], which reads it again at start.
/// [io.coppice.scsi.directory.pool.DirectoryListener] is told of changes. Knows no units.
@NullMarked
package io.coppice.scsi.directory.pool;

import org.jspecify.annotations.NullMarked;
