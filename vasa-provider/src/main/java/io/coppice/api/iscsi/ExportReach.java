package io.coppice.api.iscsi;

import java.time.Instant;

/// An initiator that has sent commands to an exported volume, so that its host sees the disk.
///
/// @param since its first command
/// @param lastCommand its last one, to about a second
public record ExportReach(String initiator, Instant since, Instant lastCommand) {}
