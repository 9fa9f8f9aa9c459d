package io.coppice.vasa.watch;

import io.coppice.engine.VolumeId;
import java.time.Instant;

/// A volume whose writes stand out for long enough.
///
/// @param since by when it had not begun, by the machine's clock
/// @param reading its present figures
public record Suspect(VolumeId volume, Instant since, WatchReading reading) {}
