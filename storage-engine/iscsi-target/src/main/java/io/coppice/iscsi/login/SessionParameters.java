package io.coppice.iscsi.login;

/// The values that hold for a session (RFC 7143 §13). Lengths are bytes, times seconds.
///
/// @param maxSendDataSegmentLength the initiator's MaxRecvDataSegmentLength
/// @param maxRecvDataSegmentLength ours
public record SessionParameters(
    boolean headerDigest,
    boolean dataDigest,
    boolean initialR2T,
    boolean immediateData,
    int maxSendDataSegmentLength,
    int maxRecvDataSegmentLength,
    int maxBurstLength,
    int firstBurstLength,
    int maxOutstandingR2T,
    int defaultTime2Wait,
    int defaultTime2Retain) {

  /// These, with the values that another connection of the session has agreed to for itself (RFC
  /// 7143 §13, keys of scope "CO").
  public SessionParameters withConnection(SessionParameters other) {
    return new SessionParameters(
        other.headerDigest,
        other.dataDigest,
        initialR2T,
        immediateData,
        other.maxSendDataSegmentLength,
        other.maxRecvDataSegmentLength,
        maxBurstLength,
        firstBurstLength,
        maxOutstandingR2T,
        defaultTime2Wait,
        defaultTime2Retain);
  }
}
