package io.coppice.iscsi.login;

import java.util.Set;

/// The keys that an initiator may say in the full feature phase, besides SendTargets (RFC 7143 §13,
/// "Use" and "Senders" of each key).
public final class FullFeatureKeys {

  /// The meaning of a key.
  public sealed interface Meaning {

    /// The longest data segment that the initiator takes from now on, in bytes.
    record SegmentLength(int bytes) implements Meaning {}

    /// A declaration that changes nothing and needs no answer.
    record Declared() implements Meaning {}

    /// A key that may not be said now.
    ///
    /// @param answer the value to answer with
    record Refused(String answer) implements Meaning {}
  }

  private static final Meaning DECLARED = new Meaning.Declared();
  private static final Meaning REJECT = new Meaning.Refused("Reject");
  private static final Meaning NOT_UNDERSTOOD = new Meaning.Refused("NotUnderstood");

  /// Keys that belong to the login, or to the target.
  private static final Set<String> NOT_NOW =
      Set.of(
          "InitiatorName",
          "TargetName",
          "TargetAlias",
          "TargetAddress",
          "TargetPortalGroupTag",
          "SessionType",
          "AuthMethod",
          "CHAP_A",
          "CHAP_I",
          "CHAP_C",
          "CHAP_R",
          "CHAP_N",
          "HeaderDigest",
          "DataDigest",
          "MaxConnections",
          "InitialR2T",
          "ImmediateData",
          "MaxBurstLength",
          "FirstBurstLength",
          "DefaultTime2Wait",
          "DefaultTime2Retain",
          "MaxOutstandingR2T",
          "DataPDUInOrder",
          "DataSequenceInOrder",
          "ErrorRecoveryLevel",
          "TaskReporting",
          "iSCSIProtocolLevel",
          "IFMarker",
          "OFMarker",
          "IFMarkInt",
          "OFMarkInt",
          "X#NodeArchitecture");

  private FullFeatureKeys() {}

  /// The meaning of a key with that value.
  public static Meaning of(String key, String value) {
    return switch (key) {
      case "MaxRecvDataSegmentLength" -> {
        int length = Negotiation.segmentLength(value);
        yield length < 0 ? REJECT : new Meaning.SegmentLength(length);
      }
      case "InitiatorAlias" -> DECLARED;
      default -> NOT_NOW.contains(key) ? REJECT : NOT_UNDERSTOOD;
    };
  }
}
