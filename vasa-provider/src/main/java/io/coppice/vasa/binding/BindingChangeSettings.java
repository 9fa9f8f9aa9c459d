package io.coppice.vasa.binding;

import java.time.Duration;

/// Rules for binding changes: how long they are kept, and what their end does, which the contract
/// leaves open.
///
/// @param endBindings whether the end also ends bindings that the change has made superfluous: of a
///   completed change those of all hosts but the destination, of a cancelled one those of the
///   destination. If not, they stay until their hosts unbind
/// @param kept how long a prepared change waits for its end
public record BindingChangeSettings(boolean endBindings, Duration kept) {}
