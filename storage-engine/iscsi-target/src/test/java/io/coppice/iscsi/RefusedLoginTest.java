package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.login.LoginRefusal;
import io.coppice.iscsi.login.LoginStatus;
import io.coppice.iscsi.session.LoginFailure;
import io.coppice.iscsi.session.LoginFailures;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.testing.RamDisk;
import io.coppice.scsi.secret.InitiatorSecrets;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The memory of logins that end without a session.
class RefusedLoginTest {

  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;
  private static final String SECRETIVE = "iqn.2026-11.example:secretive";
  private static final String FAILING = "iqn.2026-11.example:failing";
  private static final String SECRET = "correct horse battery";

  private final RamDisk disk =
      new RamDisk(TARGET, 1 << 20, Set.of(NAME, SECRETIVE, FAILING), Runnable::run);
  private final TargetNode node =
      ScriptedInitiator.node(IscsiLimits.defaults(), new Secrets(), disk);
  private final List<ScriptedInitiator> initiators = new ArrayList<>();

  private record Secrets() implements InitiatorSecrets {
    @Override
    public Optional<String> chapSecret(String initiatorName) {
      if (initiatorName.equals(FAILING)) {
        throw new IllegalStateException("as the test wants it");
      }
      return initiatorName.equals(SECRETIVE) ? Optional.of(SECRET) : Optional.empty();
    }

    @Override
    public Optional<String> mutualChapSecret(String initiatorName) {
      return Optional.empty();
    }
  }

  @AfterEach
  void memoryIsGivenBack() {
    initiators.forEach(ScriptedInitiator::finish);
  }

  private ScriptedInitiator initiator() {
    ScriptedInitiator one = new ScriptedInitiator(node);
    initiators.add(one);
    return one;
  }

  private LoginFailure only() {
    assertThat(node.failures().all()).hasSize(1);
    return node.failures().all().getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UNKNOWN_TARGET | InitiatorName=iqn.x:a;TargetName=iqn.x:none",
        "NOTHING_FOR_IT | InitiatorName=iqn.x:stranger;TargetName=" + TARGET,
        "NO_NAME | TargetName=" + TARGET,
        "NO_NAME | InitiatorName=iqn.x:a",
        "BAD_NAME | InitiatorName=host-7;TargetName=" + TARGET,
        "UNKNOWN_SESSION_TYPE | InitiatorName=iqn.x:a;SessionType=Sideways",
        "CHAP_NOT_EXPECTED | InitiatorName=iqn.x:a;SessionType=Discovery;AuthMethod=CHAP",
        "CHAP_EXPECTED | InitiatorName=" + SECRETIVE + ";TargetName=" + TARGET,
        "CHAP_EXPECTED | InitiatorName=" + SECRETIVE + ";SessionType=Discovery;AuthMethod=None",
        "OUR_FAULT | InitiatorName=" + FAILING + ";TargetName=" + TARGET,
        "CHAP_BROKEN | InitiatorName=" + SECRETIVE + ";TargetName=" + TARGET + ";CHAP_A=5",
        "BROKEN_RULES | InitiatorName=iqn.x:a;InitiatorName=iqn.x:b",
      })
  void aRefusalHasItsReason(LoginRefusal reason, String keys) {
    ScriptedInitiator initiator = initiator();

    initiator.sendLogin(0x87, 0, keys.split(";"));

    assertThat(initiator.receive().status())
        .isEqualTo(reason.status().map(LoginStatus::code).orElseThrow());
    assertThat(only().refusal()).isEqualTo(reason);
    assertThat(only().times()).isEqualTo(1);
  }

  @Test
  void aWrongSecretIsRememberedWithoutIt() {
    ScriptedInitiator initiator = initiator();
    initiator.sendLogin(0, 0, "InitiatorName=" + SECRETIVE, WHERE, "AuthMethod=CHAP");
    initiator.receive();
    initiator.sendLogin(0, 0, "CHAP_A=5");
    initiator.receive();

    initiator.sendLogin(0, 0, "CHAP_N=anybody", "CHAP_R=0x00112233445566778899aabbccddeeff");

    assertThat(initiator.receive().status()).isEqualTo(0x0201);
    assertThat(only().refusal()).isEqualTo(LoginRefusal.WRONG_SECRET);
    assertThat(only().names().initiator()).contains(SECRETIVE);
    assertThat(only().names().target()).contains(TARGET);
    assertThat(only().toString()).doesNotContain(SECRET, "anybody", "00112233");
  }

  @Test
  void equalOnesAreOneItemAndOthersAreNot() {
    for (int i = 0; i < 3; i++) {
      initiator().sendLogin(0x87, 0, WHO, "TargetName=iqn.x:none");
    }
    LoginFailure first = only();
    initiator().sendLogin(0x87, 0, "InitiatorName=iqn.x:stranger", WHERE);

    assertThat(first.times()).isEqualTo(3);
    assertThat(first.first()).isBeforeOrEqualTo(first.last());
    assertThat(node.failures().all())
        .extracting(LoginFailure::refusal)
        .containsExactly(LoginRefusal.UNKNOWN_TARGET, LoginRefusal.NOTHING_FOR_IT);
  }

  @Test
  void aLoginThatSucceedsOrNeverBeginsIsNoFailure() {
    initiator().login();
    initiator().discover();
    initiator().finish();

    assertThat(node.failures().all()).isEmpty();
  }

  @Test
  void oneThatIsGivenUpOrTooSlowIsRememberedWithoutAStatus() {
    ScriptedInitiator leaving = initiator();
    leaving.sendLogin(0, 0, WHO, WHERE, "AuthMethod=None");
    leaving.finish();
    ScriptedInitiator slow = initiator();
    slow.channel().freezeTime();
    slow.sendLogin(0, 0, WHO, WHERE, "AuthMethod=None");
    slow.channel().advanceTimeBy(15, TimeUnit.SECONDS);
    slow.channel().runPendingTasks();

    slow.expectDropped();
    assertThat(node.failures().all())
        .extracting(LoginFailure::refusal)
        .containsExactly(LoginRefusal.GIVEN_UP, LoginRefusal.TOO_SLOW);
    assertThat(LoginRefusal.TOO_SLOW.status()).isEmpty();
  }

  @Test
  void hostileNamesAreShownHarmlessly() {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(
        "InitiatorName=iqn.x:\u001b[2J\r\n\u202egnp\u2028".getBytes(StandardCharsets.UTF_8));
    text.write(0xff);
    text.write(0xc3);
    text.write(0);
    text.writeBytes(("TargetName=" + "x".repeat(4000) + "\0").getBytes(StandardCharsets.UTF_8));

    initiator().sendLoginText(0x87, 0, text.toByteArray());

    String shown = only().names().initiator().orElseThrow();
    assertThat(shown).startsWith("iqn.x:\ufffd[2J\ufffd\ufffd\ufffdgnp\ufffd\ufffd");
    assertThat(shown.codePoints())
        .noneMatch(
            point -> Character.isISOControl(point) || Character.getType(point) == Character.FORMAT);
    assertThat(only().names().target().orElseThrow()).hasSize(224).endsWith("…");
  }

  @Test
  void namesMadeUpFillTheListAndNoMore() {
    for (int i = 0; i < 3 * LoginFailures.MOST; i++) {
      initiator().sendLogin(0x87, 0, "InitiatorName=iqn.x:n" + i, "TargetName=iqn.x:none");
    }

    List<LoginFailure> all = node.failures().all();
    assertThat(all).hasSize(LoginFailures.MOST);
    assertThat(all.getLast().names().initiator()).contains("iqn.x:n299");
  }
}
