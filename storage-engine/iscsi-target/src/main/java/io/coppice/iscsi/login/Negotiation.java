package io.coppice.iscsi.login;

import io.coppice.iscsi.setting.IscsiLimits.LoginLimits;
import java.util.Optional;

/// The negotiation of the operational keys of one login (RFC 7143 §13), with its results.
///
/// | Result function | Keys |
/// |---|---|
/// | first of the list that we know | HeaderDigest, DataDigest, TaskReporting |
/// | minimum | MaxConnections, MaxBurstLength, FirstBurstLength, DefaultTime2Retain, MaxOutstandingR2T, ErrorRecoveryLevel, iSCSIProtocolLevel |
/// | maximum | DefaultTime2Wait |
/// | or | InitialR2T, DataPDUInOrder, DataSequenceInOrder |
/// | and | ImmediateData |
/// | declared | MaxRecvDataSegmentLength and names |
///
/// A value outside a key's range is answered with Reject. So is a key of the RFC that an initiator
/// may not say now: a key of the target's, a key of the full feature phase, or a key of the leading
/// login when the login adds a connection to an existing session. A key of the future is answered
/// with NotUnderstood.
final class Negotiation {

  private static final String REJECT = "Reject";
  private static final String IRRELEVANT = "Irrelevant";
  private static final int SEGMENT_MIN = 512;
  private static final int SEGMENT_MAX = 0xff_ffff;

  private final LoginLimits offer;
  private final boolean discovery;
  private final boolean leading;

  private boolean headerDigest;
  private boolean dataDigest;
  private boolean initialR2T = true;
  private boolean immediateData = true;
  private int maxSendDataSegmentLength = 8192;
  private int maxBurstLength = 262144;
  private int firstBurstLength = 65536;
  private int maxOutstandingR2T = 1;
  private int time2Wait = 2;
  private int time2Retain = 20;

  /// @param leading whether the login opens a session
  Negotiation(LoginLimits offer, boolean discovery, boolean leading) {
    this.offer = offer;
    this.discovery = discovery;
    this.leading = leading;
  }

  /// Takes one key.
  ///
  /// @return the answer's value; empty if the key is a declaration and needs none
  Optional<String> receive(String key, String value) {
    return switch (key) {
      case "MaxRecvDataSegmentLength" -> declareSegment(value);
      case "InitiatorAlias", "X#NodeArchitecture" -> Optional.empty();
      default -> Optional.of(answer(key, value));
    };
  }

  SessionParameters result() {
    return new SessionParameters(
        headerDigest,
        dataDigest,
        initialR2T,
        immediateData,
        maxSendDataSegmentLength,
        offer.maxRecvDataSegmentLength(),
        maxBurstLength,
        Math.min(firstBurstLength, maxBurstLength),
        maxOutstandingR2T,
        time2Wait,
        time2Retain);
  }

  private String answer(String key, String value) {
    return switch (key) {
      case "HeaderDigest" -> {
        String chosen = digest(value);
        headerDigest = chosen.equals("CRC32C");
        yield chosen;
      }
      case "DataDigest" -> {
        String chosen = digest(value);
        dataDigest = chosen.equals("CRC32C");
        yield chosen;
      }
      case "TaskReporting",
          "ErrorRecoveryLevel",
          "DefaultTime2Wait",
          "DefaultTime2Retain",
          "iSCSIProtocolLevel" ->
          leading ? recovery(key, value) : REJECT;
      // Not an initiator's to say, or not in a login.
      case "SendTargets", "TargetAddress", "TargetPortalGroupTag", "TargetAlias" -> REJECT;
      // Obsolete since RFC 7143 §13.25, which asks never to answer NotUnderstood.
      case "IFMarker", "OFMarker" -> "No";
      case "IFMarkInt", "OFMarkInt" -> REJECT;
      case "MaxConnections",
          "InitialR2T",
          "ImmediateData",
          "MaxBurstLength",
          "FirstBurstLength",
          "MaxOutstandingR2T",
          "DataPDUInOrder",
          "DataSequenceInOrder" -> {
        if (discovery) {
          yield IRRELEVANT;
        }
        yield leading ? transfer(key, value) : REJECT;
      }
      default -> "NotUnderstood";
    };
  }

  /// Keys of the whole session that mean something in discovery too.
  private String recovery(String key, String value) {
    return switch (key) {
      case "TaskReporting" -> choose(value, "RFC3720");
      case "ErrorRecoveryLevel" -> least(value, 0, 2, 0);
      case "DefaultTime2Wait" -> {
        long asked = inRange(value, 0, 3600);
        time2Wait = (int) Math.max(asked, 2);
        yield asked < 0 ? REJECT : Integer.toString(time2Wait);
      }
      case "DefaultTime2Retain" -> {
        time2Retain = 0;
        yield least(value, 0, 3600, 0);
      }
      case "iSCSIProtocolLevel" -> least(value, 0, 31, 1);
      default -> throw new IllegalArgumentException("expected a key of recovery, got " + key);
    };
  }

  /// Keys about data transfer and connections, which mean something in normal sessions only.
  private String transfer(String key, String value) {
    return switch (key) {
      case "MaxConnections" -> least(value, 1, 65535, 1);
      case "DataPDUInOrder", "DataSequenceInOrder" -> isBoolean(value) ? "Yes" : REJECT;
      case "InitialR2T" -> {
        initialR2T = !value.equals("No");
        yield isBoolean(value) ? value : REJECT;
      }
      case "ImmediateData" -> {
        immediateData = !value.equals("No");
        yield isBoolean(value) ? value : REJECT;
      }
      case "MaxBurstLength" -> {
        String chosen = least(value, SEGMENT_MIN, SEGMENT_MAX, offer.maxBurstLength());
        maxBurstLength = chosen.equals(REJECT) ? maxBurstLength : Integer.parseInt(chosen);
        yield chosen;
      }
      case "FirstBurstLength" -> {
        String chosen = least(value, SEGMENT_MIN, SEGMENT_MAX, offer.firstBurstLength());
        firstBurstLength = chosen.equals(REJECT) ? firstBurstLength : Integer.parseInt(chosen);
        yield chosen;
      }
      case "MaxOutstandingR2T" -> {
        String chosen = least(value, 1, 65535, offer.maxOutstandingR2T());
        maxOutstandingR2T = chosen.equals(REJECT) ? maxOutstandingR2T : Integer.parseInt(chosen);
        yield chosen;
      }
      default -> throw new IllegalArgumentException("expected a transfer key, got " + key);
    };
  }

  private Optional<String> declareSegment(String value) {
    int length = segmentLength(value);
    if (length < 0) {
      return Optional.of(REJECT);
    }
    maxSendDataSegmentLength = length;
    return Optional.empty();
  }

  /// A MaxRecvDataSegmentLength in bytes (RFC 7143 §13.12), or -1 if it is none.
  static int segmentLength(String value) {
    return (int) inRange(value, SEGMENT_MIN, SEGMENT_MAX);
  }

  private static String digest(String list) {
    return choose(list, "CRC32C", "None");
  }

  /// The first item of a list that is among the known ones.
  private static String choose(String list, String... known) {
    for (String item : list.split(",", 32)) {
      for (String candidate : known) {
        if (item.equals(candidate)) {
          return item;
        }
      }
    }
    return REJECT;
  }

  private static String least(String value, int min, int max, int ours) {
    long asked = inRange(value, min, max);
    return asked < 0 ? REJECT : Long.toString(Math.min(asked, ours));
  }

  private static long inRange(String value, int min, int max) {
    long number = BinaryValue.number(value);
    return number >= min && number <= max ? number : -1;
  }

  private static boolean isBoolean(String value) {
    return value.equals("Yes") || value.equals("No");
  }
}
