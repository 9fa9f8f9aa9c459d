package io.coppice.api.system;

/// The iSCSI names of the targets.
///
/// iSCSI names.
public record Targets(String protocolEndpoints, String plain) {}
