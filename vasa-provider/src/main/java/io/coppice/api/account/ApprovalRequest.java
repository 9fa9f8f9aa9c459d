package io.coppice.api.account;

import org.jspecify.annotations.Nullable;

/// A change that another account is to approve.
///
/// @param action `raise-max-lock`
/// @param value what is to be set, such as `P60D`
public record ApprovalRequest(@Nullable String action, @Nullable String value) {}
