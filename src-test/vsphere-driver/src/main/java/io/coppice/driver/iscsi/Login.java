package io.coppice.driver.iscsi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The login phase of one connection, RFC 7143 §6 and §11.12. Used once, by one thread.
final class Login {
  /// CmdSN of the first command after the login.
  static final int FIRST_CMD_SN = 1;

  private static final int SECURITY = 0;
  private static final int OPERATIONAL = 1;
  private static final int FULL_FEATURE = 3;
  private static final int TRANSIT = 0x80;
  private static final int CONTINUE = 0x40;
  private static final int ROUNDS = 16;
  private static final int MAX_TEXT = 65_536;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Connection connection;
  private final LoginSettings settings;
  private final @Nullable String target;
  private final Map<String, String> answers = new LinkedHashMap<>();
  private int expStatSn;
  private boolean first = true;
  private @Nullable Pdu last;

  /// The end of a login: the session's parameters and where its numbers start.
  record Outcome(SessionParameters parameters, int expStatSn, int maxCmdSn) {}

  /// @param target the target's name, null for a discovery session
  Login(Connection connection, LoginSettings settings, @Nullable String target) {
    this.connection = connection;
    this.settings = settings;
    this.target = target;
  }

  /// @throws LoginRefusedException if the target answers with a status other than 0
  Outcome run() throws IOException {
    security();
    stage(OPERATIONAL, FULL_FEATURE, operationalKeys());
    Pdu end = last();
    int tsih = end.wordAt(12) & 0xFFFF;
    if (tsih == 0) {
      throw new IscsiProtocolException("expected a TSIH in the last login response, got 0");
    }
    SessionParameters parameters = SessionParameters.of(settings, answers, tsih);
    connection.digests(parameters.headerDigest(), parameters.dataDigest());
    return new Outcome(parameters, expStatSn, end.wordAt(32));
  }

  private void security() throws IOException {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("InitiatorName", settings.initiatorName());
    keys.put("InitiatorAlias", "vsphere-driver");
    if (target == null) {
      keys.put("SessionType", "Discovery");
    } else {
      keys.put("SessionType", "Normal");
      keys.put("TargetName", target);
    }
    Chap chap = settings.chap();
    keys.put("AuthMethod", chap == null ? "None" : "CHAP");
    if (chap == null) {
      stage(SECURITY, OPERATIONAL, keys);
      requireAnswer("AuthMethod", "None");
    } else {
      send(SECURITY, OPERATIONAL, false, keys);
      requireAnswer("AuthMethod", "CHAP");
      authenticate(chap);
    }
  }

  private void authenticate(Chap chap) throws IOException {
    String offered =
        chap.algorithms().stream()
            .map(a -> Integer.toString(a.number()))
            .collect(Collectors.joining(","));
    send(SECURITY, OPERATIONAL, false, Map.of("CHAP_A", offered));
    Chap.Algorithm algorithm = Chap.Algorithm.of(answer("CHAP_A"));
    if (!chap.algorithms().contains(algorithm)) {
      throw new IscsiProtocolException("expected CHAP_A of " + offered + ", got " + algorithm);
    }
    int identifier = Integer.decode(answer("CHAP_I"));
    byte[] challenge = Chap.binary(answer("CHAP_C"));
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("CHAP_N", chap.user());
    keys.put("CHAP_R", Chap.hex(algorithm.response(identifier, chap.secret(), challenge)));
    String mutual = chap.mutualSecret();
    byte[] ours = new byte[16];
    RANDOM.nextBytes(ours);
    if (mutual != null) {
      keys.put("CHAP_I", "7");
      keys.put("CHAP_C", Chap.hex(ours));
    }
    answers.remove("CHAP_R");
    stage(SECURITY, OPERATIONAL, keys);
    if (mutual != null) {
      byte[] proof = Chap.binary(answer("CHAP_R"));
      if (!MessageDigest.isEqual(proof, algorithm.response(7, mutual, ours))) {
        throw new IscsiProtocolException(
            "expected the target's CHAP response to match its secret, got another one");
      }
    }
  }

  private Map<String, String> operationalKeys() {
    Map<String, String> keys = new LinkedHashMap<>();
    String digest = settings.digests() ? "CRC32C" : "None";
    keys.put("HeaderDigest", digest);
    keys.put("DataDigest", digest);
    keys.put("MaxRecvDataSegmentLength", Integer.toString(settings.maxRecvDataSegmentLength()));
    keys.put("DefaultTime2Wait", "2");
    keys.put("DefaultTime2Retain", "0");
    keys.put("ErrorRecoveryLevel", "0");
    if (target != null) {
      keys.put("MaxConnections", "1");
      keys.put("InitialR2T", settings.unsolicitedData() ? "No" : "Yes");
      keys.put("ImmediateData", settings.immediateData() ? "Yes" : "No");
      keys.put("FirstBurstLength", Integer.toString(settings.firstBurstLength()));
      keys.put("MaxBurstLength", Integer.toString(settings.maxBurstLength()));
      keys.put("MaxOutstandingR2T", Integer.toString(settings.maxOutstandingR2T()));
      keys.put("DataPDUInOrder", "Yes");
      keys.put("DataSequenceInOrder", "Yes");
    }
    return keys;
  }

  /// Sends `keys` and asks to leave the stage until the target agrees.
  private void stage(int current, int next, Map<String, String> keys) throws IOException {
    Map<String, String> rest = keys;
    for (int round = 0; round < ROUNDS; round++) {
      Pdu response = send(current, next, true, rest);
      if ((response.flags() & TRANSIT) != 0) {
        if ((response.flags() & 3) != next) {
          throw new IscsiProtocolException(
              "expected login stage %d next, got %d".formatted(next, response.flags() & 3));
        }
        return;
      }
      rest = Map.of();
    }
    throw new IscsiProtocolException(
        "expected the target to leave login stage %d in %d rounds".formatted(current, ROUNDS));
  }

  private Pdu send(int current, int next, boolean transit, Map<String, String> keys)
      throws IOException {
    Pdu response = exchange(current, next, transit, TextKeys.encode(keys));
    ByteBuffer text = ByteBuffer.allocate(MAX_TEXT);
    text.put(response.data().duplicate());
    while ((response.flags() & CONTINUE) != 0) {
      response = exchange(current, next, false, Pdu.NO_DATA);
      if (response.dataLength() > text.remaining()) {
        throw new IscsiProtocolException("expected a login text of at most 64 KiB, got more");
      }
      text.put(response.data().duplicate());
    }
    answers.putAll(TextKeys.decode(text.flip()));
    if (first && target != null && !answers.containsKey("TargetPortalGroupTag")) {
      throw new IscsiProtocolException(
          "expected TargetPortalGroupTag in the first login response, got " + answers.keySet());
    }
    first = false;
    return response;
  }

  private Pdu exchange(int current, int next, boolean transit, ByteBuffer text) throws IOException {
    int flags = transit ? TRANSIT | current << 2 | next : current << 2;
    Pdu request = Pdu.of(Opcode.LOGIN | Opcode.IMMEDIATE, flags);
    request.lun(settings.isid() << 16).tag(1).word(24, FIRST_CMD_SN).word(28, expStatSn);
    connection.write(request.data(text));
    Pdu response = connection.read(pdu -> ByteBuffer.allocate(pdu.dataLength()));
    if (response.opcode() != Opcode.LOGIN_RESPONSE) {
      throw new IscsiProtocolException("expected a login response, got " + response);
    }
    int status = response.wordAt(36) >>> 16;
    if (status != 0) {
      throw new LoginRefusedException(status, target == null ? "discovery" : target);
    }
    if (last != null && response.wordAt(24) != expStatSn) {
      throw new IscsiProtocolException(
          "expected StatSN %d, got %d".formatted(expStatSn, response.wordAt(24)));
    }
    expStatSn = response.wordAt(24) + 1;
    last = response;
    return response;
  }

  private Pdu last() {
    Pdu pdu = last;
    if (pdu == null) {
      throw new IllegalStateException("no login response has come yet");
    }
    return pdu;
  }

  private String answer(String key) {
    String value = answers.get(key);
    if (value == null) {
      throw new IscsiProtocolException("expected %s, got %s".formatted(key, answers.keySet()));
    }
    return value;
  }

  private void requireAnswer(String key, String value) {
    if (!value.equals(answer(key))) {
      throw new IscsiProtocolException(
          "expected %s=%s, got %s".formatted(key, value, answers.get(key)));
    }
  }
}
