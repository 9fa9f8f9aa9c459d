/// The receiving end of cycles.
///
/// Begin with [io.coppice.replication.intake.ReplicationTarget], which serves links, then
/// [io.coppice.replication.intake.CycleIntake], which writes one cycle.
@NullMarked
package io.coppice.replication.intake;

import org.jspecify.annotations.NullMarked;
