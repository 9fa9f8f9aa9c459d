/// The I/O of volumes: reads, writes, unmaps, copies and compares, with their admission. Begin with
/// [PoolVolume]. Depends on the state of the pool and the log.
@NullMarked
package io.coppice.engine.io;

import org.jspecify.annotations.NullMarked;
