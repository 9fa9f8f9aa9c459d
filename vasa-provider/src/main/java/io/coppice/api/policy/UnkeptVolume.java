package io.coppice.api.policy;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume that would not comply with a draft of its policy.
///
/// @param vm the virtual machine that it was stored for; null for none
/// @param reason why, as the part of a sentence
/// @param already whether it does not comply now either
public record UnkeptVolume(
    UUID vvol, @Nullable String name, @Nullable String vm, String reason, boolean already) {}
