/// Volumes by every name that administrators have for them: vVols, snapshots, virtual machines.
/// Begin with [io.coppice.admin.volume.VvolController]; [io.coppice.admin.volume.VolumeViews] is
/// their form in JSON.
@NullMarked
package io.coppice.admin.volume;

import org.jspecify.annotations.NullMarked;
