package io.coppice.vasa.volume.store;

import java.time.Duration;

/// @param patience how long a call waits for another change of the same virtual volume
public record LockSettings(Duration patience) {}
