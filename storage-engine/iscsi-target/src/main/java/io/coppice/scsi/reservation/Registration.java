package io.coppice.scsi.reservation;

/// What a registrant has registered.
///
/// @param key reservation key, not 0
/// @param allPorts whether it asked for all target ports; a target of ours has one
public record Registration(long key, boolean allPorts) {}
