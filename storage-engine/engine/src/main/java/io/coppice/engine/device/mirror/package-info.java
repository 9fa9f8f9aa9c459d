/// A device that keeps everything on two devices. Begin with [Mirror]. Depends on devices.
@NullMarked
package io.coppice.engine.device.mirror;

import org.jspecify.annotations.NullMarked;
