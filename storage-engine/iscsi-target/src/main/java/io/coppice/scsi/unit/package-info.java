/// Logical units and their state: reservations, limits, the commands in flight, and what is
/// counted.
///
/// Begin with [io.coppice.scsi.unit.LogicalUnit] and [io.coppice.scsi.unit.VolumeUnit];
/// [io.coppice.scsi.unit.LunResolver] finds the unit of a number. Depends on the directory, the
/// limits and the reservations; knows no nexus but by the interface
/// [io.coppice.scsi.unit.Reserver].
@NullMarked
package io.coppice.scsi.unit;

import org.jspecify.annotations.NullMarked;
