package io.coppice.iscsi.login;

/// The most that this target agrees to. Lengths in bytes.
///
/// @param digests whether CRC32C digests are agreed to
/// @param loginTextLength longest text of one login, over all its PDUs
public record LoginOffer(
    boolean digests,
    int maxRecvDataSegmentLength,
    int maxBurstLength,
    int firstBurstLength,
    int maxOutstandingR2T,
    int portalGroupTag,
    int loginTextLength) {}
