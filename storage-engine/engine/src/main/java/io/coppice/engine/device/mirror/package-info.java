/// A device that keeps everything on two devices, and leaves out one that fails. Begin with
/// [Mirror]. The package `mirror` brings such a device back. Depends on devices.
@NullMarked
package io.coppice.engine.device.mirror;

import org.jspecify.annotations.NullMarked;
