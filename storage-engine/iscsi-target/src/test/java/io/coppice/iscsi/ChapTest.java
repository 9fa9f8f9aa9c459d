package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.testing.RamDisk;
import io.coppice.scsi.secret.InitiatorSecrets;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// CHAP (RFC 7143 §12.1.3), in both directions.
class ChapTest {

  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;
  private static final String SECRET = "correct horse";
  private static final String MUTUAL = "battery staple";

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private final TargetNode node =
      ScriptedInitiator.node(IscsiLimits.defaults(), new Secrets(Optional.of(MUTUAL)), disk);
  private final ScriptedInitiator initiator = new ScriptedInitiator(node);

  private record Secrets(Optional<String> mutual) implements InitiatorSecrets {
    @Override
    public Optional<String> chapSecret(String initiatorName) {
      return initiatorName.equals(NAME) ? Optional.of(SECRET) : Optional.empty();
    }

    @Override
    public Optional<String> mutualChapSecret(String initiatorName) {
      return mutual;
    }
  }

  @AfterEach
  void memoryIsGivenBack() {
    initiator.finish();
  }

  @ParameterizedTest
  @CsvSource({"5,MD5", "7,SHA-256", "8,SHA3-256"})
  void rightSecretIsAdmitted(int number, String digest) throws Exception {
    Map<String, String> challenge = challenge(initiator, Integer.toString(number));
    assertThat(challenge.get("CHAP_A")).isEqualTo(Integer.toString(number));

    answer("0x" + HexFormat.of().formatHex(response(digest, challenge, SECRET)));

    assertThat(initiator.receive().flags()).isEqualTo(0x81);
    initiator.sendLogin(0x87, 0);
    assertThat(initiator.receive().flags()).isEqualTo(0x87);
    assertThat(disk.attached).hasSize(1);
  }

  @Test
  void responseMayBeBase64() throws Exception {
    Map<String, String> challenge = challenge(initiator, "5");

    answer("0b" + Base64.getEncoder().encodeToString(response("MD5", challenge, SECRET)));

    assertThat(initiator.receive().flags()).isEqualTo(0x81);
  }

  @Test
  void firstKnownAlgorithmOfTheListIsTaken() {
    assertThat(challenge(initiator, "6,8,5").get("CHAP_A")).isEqualTo("8");
  }

  @Test
  void wrongSecretIsRefused() throws Exception {
    Map<String, String> challenge = challenge(initiator, "5");

    answer("0x" + HexFormat.of().formatHex(response("MD5", challenge, "incorrect horse")));

    expectRefused();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x", "0xzz", "0b!", "12", "", "0xabcd"})
  void responseThatIsNoneIsRefused(String text) {
    challenge(initiator, "5");

    answer(text);

    assertThat(initiator.receive().unsignedByte(36)).isEqualTo(2);
    initiator.expectDropped();
  }

  @Test
  void oversizeBase64IsRefused() {
    challenge(initiator, "5");

    answer("0b" + "A".repeat(3000));

    assertThat(initiator.receive().unsignedByte(36)).isEqualTo(2);
  }

  @Test
  void skippingSecurityIsRefused() {
    initiator.sendLogin(0x87, 0, WHO, WHERE);

    expectRefused();
  }

  @Test
  void offeringNoneOnlyIsRefused() {
    initiator.sendLogin(0x81, 0, WHO, WHERE, "AuthMethod=None");

    expectRefused();
  }

  @Test
  void discoveryNeedsTheSecretToo() {
    initiator.sendLogin(0x87, 0, WHO, "SessionType=Discovery");

    expectRefused();
  }

  @Test
  void goingOnBeforeTheProofIsRefused() {
    challenge(initiator, "5");

    initiator.sendLogin(0x81, 0);
    assertThat(initiator.receive().flags()).as("no transit").isZero();
    initiator.sendLogin(0x87, 0);

    assertThat(initiator.receive().status()).isEqualTo(0x020b);
    assertThat(disk.attached).isEmpty();
  }

  @Test
  void responseBeforeTheChallengeIsRefused() {
    initiator.sendLogin(0x00, 0, WHO, WHERE, "AuthMethod=CHAP");
    initiator.receive();

    answer("0x00");

    expectRefused();
  }

  @Test
  void initiatorWithoutSecretNeedsNone() {
    initiator.sendLogin(
        0x81, 0, "InitiatorName=iqn.2026-11.example:free", WHERE, "AuthMethod=CHAP,None");

    assertThat(initiator.receive().text()).contains("AuthMethod=None");
  }

  @Test
  void initiatorWithoutSecretThatInsistsOnChapIsRefused() {
    initiator.sendLogin(
        0x81, 0, "InitiatorName=iqn.2026-11.example:free", WHERE, "AuthMethod=CHAP");

    expectRefused();
  }

  @Test
  void targetProvesItselfIfAsked() throws Exception {
    Map<String, String> challenge = challenge(initiator, "7");
    byte[] theirs = ScriptedInitiator.pattern(16, 1);

    answer(
        "0x" + HexFormat.of().formatHex(response("SHA-256", challenge, SECRET)),
        "CHAP_I=200",
        "CHAP_C=0x" + HexFormat.of().formatHex(theirs));

    Received last = initiator.receive();
    assertThat(last.flags()).isEqualTo(0x81);
    MessageDigest hash = MessageDigest.getInstance("SHA-256");
    hash.update((byte) 200);
    hash.update(MUTUAL.getBytes(StandardCharsets.UTF_8));
    String expected = HexFormat.of().formatHex(hash.digest(theirs));
    assertThat(last.text()).containsExactly("CHAP_N=" + TARGET, "CHAP_R=0x" + expected);
  }

  /// In discovery there is no target whose name it could be.
  @Test
  void inDiscoveryTheTargetCallsItselfCoppice() throws Exception {
    initiator.sendLogin(0x00, 0, WHO, "SessionType=Discovery", "AuthMethod=CHAP");
    assertThat(initiator.receive().text()).contains("AuthMethod=CHAP");
    initiator.sendLogin(0x00, 0, "CHAP_A=5");
    Map<String, String> challenge = pairs(initiator.receive());

    answer(
        "0x" + HexFormat.of().formatHex(response("MD5", challenge, SECRET)),
        "CHAP_I=1",
        "CHAP_C=0x0011");

    assertThat(initiator.receive().text()).contains("CHAP_N=coppice");
  }

  @Test
  void reflectedChallengeIsRefused() throws Exception {
    Map<String, String> challenge = challenge(initiator, "5");

    answer(
        "0x" + HexFormat.of().formatHex(response("MD5", challenge, SECRET)),
        "CHAP_I=1",
        "CHAP_C=" + challenge.get("CHAP_C"));

    expectRefused();
  }

  @Test
  void targetWithoutSecretOfItsOwnCannotProveItself() throws Exception {
    TargetNode oneWay =
        ScriptedInitiator.node(IscsiLimits.defaults(), new Secrets(Optional.empty()), disk);
    ScriptedInitiator asking = new ScriptedInitiator(oneWay);
    Map<String, String> challenge = challenge(asking, "5");

    asking.sendLogin(
        0x81,
        0,
        "CHAP_N=user",
        "CHAP_R=0x" + HexFormat.of().formatHex(response("MD5", challenge, SECRET)),
        "CHAP_I=1",
        "CHAP_C=0x0011");

    assertThat(asking.receive().status()).isEqualTo(0x0201);
    asking.finish();
  }

  private static Map<String, String> challenge(ScriptedInitiator from, String algorithms) {
    from.sendLogin(0x00, 0, WHO, WHERE, "AuthMethod=CHAP,None");
    assertThat(from.receive().text()).contains("AuthMethod=CHAP");
    from.sendLogin(0x00, 0, "CHAP_A=" + algorithms);
    return pairs(from.receive());
  }

  private static Map<String, String> pairs(Received answer) {
    Map<String, String> keys = new HashMap<>();
    for (String pair : answer.text()) {
      keys.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return keys;
  }

  private void answer(String response, String... more) {
    String[] keys = new String[more.length + 2];
    keys[0] = "CHAP_N=user";
    keys[1] = "CHAP_R=" + response;
    System.arraycopy(more, 0, keys, 2, more.length);
    initiator.sendLogin(0x81, 0, keys);
  }

  private static byte[] response(String digest, Map<String, String> challenge, String secret)
      throws Exception {
    MessageDigest hash = MessageDigest.getInstance(digest);
    hash.update((byte) Integer.parseInt(challenge.get("CHAP_I")));
    hash.update(secret.getBytes(StandardCharsets.UTF_8));
    return hash.digest(HexFormat.of().parseHex(challenge.get("CHAP_C").substring(2)));
  }

  private void expectRefused() {
    assertThat(initiator.receive().status()).isEqualTo(0x0201);
    initiator.expectDropped();
    assertThat(disk.attached).isEmpty();
  }
}
