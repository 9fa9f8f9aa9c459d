package io.coppice.api.protection;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A member of a protection group: a virtual machine or a volume, and the other one is null.
public record GroupMember(@Nullable String vm, @Nullable UUID volume) {}
