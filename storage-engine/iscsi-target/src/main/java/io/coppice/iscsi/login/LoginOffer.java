package io.coppice.iscsi.login;

/// What this target agrees to at most. Lengths in bytes.
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
