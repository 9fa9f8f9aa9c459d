package io.coppice.driver.iscsi;

import java.util.Map;

/// The outcome of a login: what both sides keep to. Lengths are in bytes.
record SessionParameters(
    int targetSegmentLength,
    int firstBurstLength,
    int maxBurstLength,
    boolean immediateData,
    boolean initialR2T,
    boolean headerDigest,
    boolean dataDigest,
    int tsih) {

  private static final int DEFAULT_SEGMENT = 8192;

  /// Judges the target's answers to `offer`; a key it left out keeps RFC 7143's default.
  static SessionParameters of(LoginSettings offer, Map<String, String> answers, int tsih) {
    int first = Math.min(offer.firstBurstLength(), number(answers, "FirstBurstLength", 65_536));
    int max = Math.min(offer.maxBurstLength(), number(answers, "MaxBurstLength", 262_144));
    boolean r2t = !offer.unsolicitedData() || yes(answers, "InitialR2T", true);
    if (!offer.unsolicitedData() && !yes(answers, "InitialR2T", true)) {
      throw new IscsiProtocolException(
          "expected InitialR2T=Yes, since the initiator offered Yes and the result is OR, got No");
    }
    boolean immediate = offer.immediateData() && yes(answers, "ImmediateData", true);
    if (!offer.immediateData() && yes(answers, "ImmediateData", false)) {
      throw new IscsiProtocolException(
          "expected ImmediateData=No, since the initiator offered No and the result is AND, got"
              + " Yes");
    }
    return new SessionParameters(
        number(answers, "MaxRecvDataSegmentLength", DEFAULT_SEGMENT),
        Math.min(first, max),
        max,
        immediate,
        r2t,
        digest(offer, answers, "HeaderDigest"),
        digest(offer, answers, "DataDigest"),
        tsih);
  }

  private static boolean digest(LoginSettings offer, Map<String, String> answers, String key) {
    String value = answers.getOrDefault(key, "None");
    if (value.equals("CRC32C") && offer.digests()) {
      return true;
    }
    if (!value.equals("None") || offer.digests()) {
      throw new IscsiProtocolException(
          "expected %s=%s, got %s".formatted(key, offer.digests() ? "CRC32C" : "None", value));
    }
    return false;
  }

  private static boolean yes(Map<String, String> answers, String key, boolean otherwise) {
    String value = answers.get(key);
    return value == null ? otherwise : value.equals("Yes");
  }

  private static int number(Map<String, String> answers, String key, int otherwise) {
    String value = answers.get(key);
    if (value == null) {
      return otherwise;
    }
    try {
      return Integer.decode(value);
    } catch (NumberFormatException e) {
      throw new IscsiProtocolException(
          "expected a number for %s, got \"%s\"".formatted(key, value));
    }
  }
}
