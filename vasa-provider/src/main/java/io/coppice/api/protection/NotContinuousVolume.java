package io.coppice.api.protection;

import java.util.UUID;

/// A volume of a group that has no continuous points, although its policy wants them.
///
/// @param reason why it cannot have them
public record NotContinuousVolume(UUID volume, String reason) {}
