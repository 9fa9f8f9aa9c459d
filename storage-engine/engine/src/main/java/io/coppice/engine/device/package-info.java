/// The devices on which the engine's bytes live: files and block devices. Begin with
/// [io.coppice.engine.device.BlockDevice], which says what is stable when. `IOException` stops
/// here: above, a failed device is a [io.coppice.engine.device.DeviceException]. Depends on
/// `thread` and `files`.
@NullMarked
package io.coppice.engine.device;

import org.jspecify.annotations.NullMarked;
