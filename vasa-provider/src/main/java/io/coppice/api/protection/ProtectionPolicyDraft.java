package io.coppice.api.protection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A protection policy as a client writes it.
///
/// @param watch what is done when the ransomware watch suspects a volume; null for the usual
/// @param generation the one that was read; for PUT only
public record ProtectionPolicyDraft(
    @Nullable String name,
    @Nullable String description,
    @Nullable Long generation,
    @Nullable List<PointRule> rules,
    @Nullable PolicyWatch watch) {}
