package io.coppice.vasa.diagnosis;

import io.coppice.engine.VolumeId;
import java.util.Map;

/// The events of a window of time that ends now.
///
/// @param nanos its length, 0 if nothing has been sampled yet
/// @param loads of the volumes with any
record Recent(long nanos, Map<VolumeId, Load> loads, ArrayWork work) {}
