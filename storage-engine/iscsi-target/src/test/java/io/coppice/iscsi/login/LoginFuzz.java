package io.coppice.iscsi.login;

import static io.coppice.fuzz.Decoder.check;

import io.coppice.fuzz.Decoder;
import io.coppice.fuzz.FuzzTarget;
import io.coppice.fuzz.FuzzTarget.Bounds;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TextParameters;
import io.coppice.iscsi.setting.IscsiLimits.LoginLimits;
import io.coppice.iscsi.testing.RamDisk;
import io.coppice.scsi.transport.TargetDevice;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Text, binary values and whole logins, for the fuzzer. A login is its requests: flags, the length
/// of the text in two bytes, the text.
final class LoginFuzz {

  private static final String TARGET = "iqn.2026-11.io.coppice:ram";
  private static final String PLAIN = "iqn.2026-11.example:plain";
  private static final String SECRET = "iqn.2026-11.example:secret";
  private static final String STRANGER = "iqn.2026-11.example:stranger";
  private static final int OPERATIONAL_TO_FULL = 0x87;
  private static final int SECURITY_TO_OPERATIONAL = 0x81;
  private static final LoginLimits OFFER = new LoginLimits(262_144, 1 << 20, 262_144, 4, 8192);
  private static final List<String> KEYS =
      List.of(
          "InitiatorName=" + PLAIN,
          "InitiatorName=" + SECRET,
          "InitiatorName=" + STRANGER,
          "TargetName=" + TARGET,
          "SessionType=Discovery",
          "AuthMethod=CHAP,None",
          "CHAP_A=5,7,8",
          "CHAP_N=x",
          "CHAP_R=0x00112233445566778899aabbccddeeff",
          "CHAP_I=7",
          "CHAP_C=0bAAECAwQFBgc=",
          "HeaderDigest=CRC32C,None",
          "DataDigest=None",
          "MaxConnections=1",
          "InitialR2T=No",
          "ImmediateData=Yes",
          "MaxRecvDataSegmentLength=262144",
          "MaxBurstLength=0x100000",
          "FirstBurstLength=65536",
          "DefaultTime2Wait=2",
          "DefaultTime2Retain=20",
          "MaxOutstandingR2T=1",
          "DataPDUInOrder=Yes",
          "DataSequenceInOrder=Yes",
          "ErrorRecoveryLevel=0",
          "iSCSIProtocolLevel=1",
          "TaskReporting=RFC3720",
          "IFMarker=No",
          "OFMarkInt=1~2",
          "X-com.example=1");

  private LoginFuzz() {}

  static List<FuzzTarget> targets() {
    return List.of(textTarget(), binaryTarget(), loginTarget());
  }

  private static FuzzTarget textTarget() {
    return new Decoder(
        "text",
        8192,
        new Bounds(8192, 256, 2000, 64),
        List.of(text(KEYS.get(0), KEYS.get(3)), text()),
        tokens(),
        LoginFuzz::runText);
  }

  private static String runText(byte[] input) {
    try {
      Map<String, String> pairs = TextParameters.decode(ByteBuffer.wrap(input));
      StringBuilder out = new StringBuilder();
      pairs.forEach((key, value) -> TextParameters.append(out, key, value));
      byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
      Map<String, String> again = TextParameters.decode(ByteBuffer.wrap(bytes));
      check(again.equals(pairs), "as written: " + pairs, again);
      return "pairs " + Math.min(pairs.size(), 3);
    } catch (TextParameters.MalformedTextException e) {
      return "malformed";
    }
  }

  private static FuzzTarget binaryTarget() {
    return new Decoder(
        "CHAP value",
        3000,
        new Bounds(8192, 64, 2000, 32),
        Stream.of("0x00ff", "0bAAECAwQFBgc=", "0X1", "4294967295", "0xffffffff")
            .map(it -> it.getBytes(StandardCharsets.UTF_8))
            .toList(),
        Stream.of("0x", "0b", "=", "-", "4294967296")
            .map(it -> it.getBytes(StandardCharsets.UTF_8))
            .toList(),
        LoginFuzz::runBinary);
  }

  private static String runBinary(byte[] input) {
    String value = new String(input, StandardCharsets.UTF_8);
    long number = BinaryValue.number(value);
    check(number >= -1 && number <= 0xffff_ffffL, "a number of 32 bits", number);
    if (number >= 0) {
      check(BinaryValue.number(Long.toString(number)) == number, "as written", number);
    }
    try {
      byte[] bytes = BinaryValue.decode("CHAP_R", value);
      check(bytes.length >= 1 && bytes.length <= 1024, "1 to 1024 bytes", bytes.length);
      byte[] again = BinaryValue.decode("CHAP_R", BinaryValue.encode(bytes));
      check(Arrays.equals(again, bytes), "as written", value);
      return "bytes, number " + (number >= 0);
    } catch (LoginRefusedException e) {
      return "refused, number " + (number >= 0);
    }
  }

  private static FuzzTarget loginTarget() {
    return new Decoder(
        "login",
        9000,
        new Bounds(1 << 17, 512, 60_000, 100),
        List.of(
            requests(
                request(
                    OPERATIONAL_TO_FULL,
                    KEYS.get(0),
                    KEYS.get(3),
                    "HeaderDigest=CRC32C",
                    "MaxBurstLength=16384")),
            requests(request(OPERATIONAL_TO_FULL, KEYS.get(0), KEYS.get(4))),
            requests(
                request(SECURITY_TO_OPERATIONAL, KEYS.get(1), KEYS.get(3), KEYS.get(5)),
                request(0, KEYS.get(6)),
                request(
                    SECURITY_TO_OPERATIONAL, KEYS.get(7), KEYS.get(8), KEYS.get(9), KEYS.get(10)),
                request(OPERATIONAL_TO_FULL)),
            requests(
                request(SECURITY_TO_OPERATIONAL, KEYS.get(0), KEYS.get(3), "AuthMethod=None"),
                request(0x44, KEYS.get(11)),
                request(OPERATIONAL_TO_FULL, KEYS.subList(12, KEYS.size()).toArray(String[]::new))),
            requests(request(OPERATIONAL_TO_FULL, KEYS.get(2), KEYS.get(3)))),
        tokens(),
        LoginFuzz::runLogin);
  }

  private static String runLogin(byte[] input) {
    LoginPhase login = new LoginPhase(OFFER, 1, new Authority());
    ByteBuffer requests = ByteBuffer.wrap(input);
    String outcome = "open";
    while (requests.remaining() >= 3) {
      int flags = Byte.toUnsignedInt(requests.get());
      int length = Math.min(Short.toUnsignedInt(requests.getShort()), requests.remaining());
      ByteBuffer text = requests.slice(requests.position(), length);
      requests.position(requests.position() + length);
      switch (login.receive(header(flags), text)) {
        case LoginPhase.Step.Reply reply -> {
          checkAnswer(reply.text());
          outcome = "reply";
        }
        case LoginPhase.Step.Refuse refuse -> {
          return refuse.why() + " " + refuse.reason().replaceAll("[0-9]+|got .*", "N");
        }
        case LoginPhase.Step.Establish establish -> {
          checkAnswer(establish.text());
          checkEstablished(establish.session());
          return "established " + establish.session().parameters().headerDigest();
        }
      }
    }
    return outcome;
  }

  private static void checkAnswer(String text) {
    TextParameters.decode(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /// Nobody can know the answer to a challenge that was made just now.
  private static void checkEstablished(LoginPhase.Established who) {
    check(!who.port().name().equals(SECRET), "no login without the secret", who);
    check(
        who.target().isEmpty() || !who.port().name().equals(STRANGER),
        "no login of a stranger",
        who);
    check(who.port().name().length() <= 223, "a name of at most 223 characters", who);
    SessionParameters agreed = who.parameters();
    check(
        agreed.maxSendDataSegmentLength() >= 512
            && agreed.maxSendDataSegmentLength() <= 0xff_ffff
            && agreed.maxBurstLength() >= 512
            && agreed.maxBurstLength() <= OFFER.maxBurstLength()
            && agreed.firstBurstLength() >= 512
            && agreed.firstBurstLength() <= agreed.maxBurstLength()
            && agreed.maxOutstandingR2T() >= 1
            && agreed.maxOutstandingR2T() <= OFFER.maxOutstandingR2T()
            && agreed.defaultTime2Wait() >= 0
            && agreed.defaultTime2Retain() >= 0,
        "parameters in their ranges",
        agreed);
  }

  private static InitiatorPdu.Login header(int flags) {
    return new InitiatorPdu.Login(
        (flags & 0x80) != 0,
        (flags & 0x40) != 0,
        flags >> 2 & 3,
        flags & 3,
        flags == 0x30 ? 1 : 0,
        0x80_0000_01_0000L,
        0,
        1,
        0,
        1,
        1);
  }

  private static byte[] request(int flags, String... keys) {
    byte[] text = text(keys);
    return ByteBuffer.allocate(3 + text.length)
        .put((byte) flags)
        .putShort((short) text.length)
        .put(text)
        .array();
  }

  private static byte[] requests(byte[]... all) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Arrays.stream(all).forEach(out::writeBytes);
    return out.toByteArray();
  }

  private static byte[] text(String... keys) {
    return (keys.length == 0 ? "" : String.join("\0", keys) + "\0")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static List<byte[]> tokens() {
    Stream<String> odd = Stream.of("\0", "=", ",", "Reject", "None", "0x", "0b", "\u0130", "~");
    return Stream.concat(KEYS.stream().map(it -> it + "\0"), odd)
        .map(it -> it.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  /// One initiator without a secret, one with, and one that nothing is exported to.
  private static final class Authority implements LoginAuthority {
    private static final TargetDevice DISK =
        new RamDisk(TARGET, 512, Set.of(PLAIN, SECRET), Runnable::run);

    @Override
    public Optional<TargetDevice> target(String name) {
      return name.equals(TARGET) ? Optional.of(DISK) : Optional.empty();
    }

    @Override
    public Optional<String> chapSecret(String initiatorName) {
      return initiatorName.equals(SECRET) ? Optional.of("twelve letters") : Optional.empty();
    }

    @Override
    public Optional<String> mutualChapSecret(String initiatorName) {
      return Optional.of("another twelve");
    }
  }
}
