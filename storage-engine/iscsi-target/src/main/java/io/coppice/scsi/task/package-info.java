/// Commands in flight and the nexuses by which they came.
///
/// Begin with [io.coppice.scsi.task.Task], one command from its arrival to its answer, and
/// [io.coppice.scsi.task.NexusState], one session's view of the units.
/// [io.coppice.scsi.task.Workers] runs what may block. A nexus also remembers its copy operations
/// until their outcome was asked for. Depends on the units, the limits, `page`, `sense`,
/// `transport` and the engine's API.
@NullMarked
package io.coppice.scsi.task;

import org.jspecify.annotations.NullMarked;
