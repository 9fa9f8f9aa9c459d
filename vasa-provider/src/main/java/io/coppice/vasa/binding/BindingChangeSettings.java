package io.coppice.vasa.binding;

import java.time.Duration;

/// How binding changes are kept, and what their end does, which the contract leaves open.
///
/// @param endBindings whether it ends bindings that the change has made superfluous: a completed
///   one those of all hosts but the destination, a cancelled one those of the destination. If not,
///   they stay until their hosts unbind
/// @param kept how long a prepared change waits for its end
public record BindingChangeSettings(boolean endBindings, Duration kept) {}
