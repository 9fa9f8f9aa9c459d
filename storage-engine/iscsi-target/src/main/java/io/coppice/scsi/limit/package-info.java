/// The limits of volumes at their logical units: how many commands and bytes a second each may
/// have, and which comes next when several volumes share one limit.
///
/// Begin with [io.coppice.scsi.limit.UnitLimiter], which holds a command back before it begins.
/// [io.coppice.scsi.limit.FairQueues] keeps those that wait.
/// [io.coppice.scsi.limit.LimitAttributes] reads the settings of a volume from its attributes. Only
/// the name of the attribute that names a group comes from above, as a setting. Depends on the
/// decoded commands, the settings, `transport` and the engine's API; knows no units and no tasks.
@NullMarked
package io.coppice.scsi.limit;

import org.jspecify.annotations.NullMarked;
