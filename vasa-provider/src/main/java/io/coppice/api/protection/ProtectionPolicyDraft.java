package io.coppice.api.protection;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A protection policy as a client writes it.
///
/// @param continuous the tiers of continuous points; null for none
/// @param watch what is done when the ransomware watch suspects a volume; null for the usual
/// @param generation the one that was read; for PUT only
public record ProtectionPolicyDraft(
    @Nullable String name,
    @Nullable String description,
    @Nullable Long generation,
    @Nullable List<PointRule> rules,
    @Nullable List<ContinuousTier> continuous,
    @Nullable PolicyWatch watch) {}
