/// Logical units and their state: reservations, limits, the commands in flight, and the counts of
/// traffic and offloaded work.
///
/// Begin with [io.coppice.scsi.unit.LogicalUnit] and [io.coppice.scsi.unit.VolumeUnit].
/// [io.coppice.scsi.unit.LunResolver] finds the unit of a number. Depends on the directory, the
/// limits, the reservations, the settings and the engine's API. It knows a nexus only by the
/// interface [io.coppice.scsi.unit.Reserver].
@NullMarked
package io.coppice.scsi.unit;

import org.jspecify.annotations.NullMarked;
