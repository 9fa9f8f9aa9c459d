/// The devices on which the engine's bytes live. `IOException` stops here: above, a failed device
/// is a [io.coppice.engine.device.DeviceException].
@NullMarked
package io.coppice.engine.device;

import org.jspecify.annotations.NullMarked;
