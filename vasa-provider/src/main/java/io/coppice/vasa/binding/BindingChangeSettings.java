package io.coppice.vasa.binding;

/// What the end of a binding change does, which the contract leaves open.
///
/// @param endBindings whether it ends bindings that the change has made superfluous: a completed
///   one those of all hosts but the destination, a cancelled one those of the destination. If not,
///   they stay until their hosts unbind
public record BindingChangeSettings(boolean endBindings) {}
