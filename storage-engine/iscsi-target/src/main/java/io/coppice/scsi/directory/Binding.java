package io.coppice.scsi.directory;

import io.coppice.engine.VolumeId;

/// A volume made reachable for a host through a protocol endpoint.
///
/// @param subsidiary number of the subsidiary logical unit at that endpoint, 1 to 2^24 - 1; equal
///   for all hosts
/// @param secondaryId the subsidiary element of the LUN as text, `0x` and hex digits, never
///   stripped
/// @param count how many binds of this host are not yet unbound, at least 1
public record Binding(
    HostId host,
    VolumeId volume,
    ProtocolEndpoint endpoint,
    int subsidiary,
    String secondaryId,
    int count) {}
