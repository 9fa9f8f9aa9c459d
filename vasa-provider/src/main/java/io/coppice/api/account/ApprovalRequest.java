package io.coppice.api.account;

import org.jspecify.annotations.Nullable;

/// A change that another account is to approve.
///
/// @param action `raise-max-lock` or `lower-bin-time`
/// @param value what is to be set, such as `P60D`, or the id of a container with `PT12H`
public record ApprovalRequest(@Nullable String action, @Nullable String value) {}
