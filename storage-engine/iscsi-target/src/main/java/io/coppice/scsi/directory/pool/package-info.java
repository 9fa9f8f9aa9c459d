/// The directory of logical units as the pool keeps it: bindings to protocol endpoints, exports at
/// plain numbers, hosts, and numbers that rest after they were freed.
///
/// Begin with [io.coppice.scsi.directory.pool.PoolLunDirectory]. Changes are checked against
/// [io.coppice.scsi.directory.pool.DirectoryState].
/// [io.coppice.scsi.directory.pool.DirectoryRecords] writes them and reads them again at start.
/// [io.coppice.scsi.directory.pool.DirectoryListener] is told of changes. Depends on `directory`,
/// `page`, `secret`, `transport`, the settings and the engine's records; knows no units.
@NullMarked
package io.coppice.scsi.directory.pool;

import org.jspecify.annotations.NullMarked;
