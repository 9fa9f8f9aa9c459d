package io.coppice.scsi.reservation;

/// The registration of a registrant.
///
/// @param key reservation key, not 0
/// @param allPorts whether it asked for all target ports; our targets have one each
public record Registration(long key, boolean allPorts) {}
