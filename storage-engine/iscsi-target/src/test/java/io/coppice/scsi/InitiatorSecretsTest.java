package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.scsi.setting.ScsiSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// CHAP secrets of initiators: kept in the pool, where only who has the key reads them.
class InitiatorSecretsTest {

  private static final String WHY = "There is no key of the CHAP secrets at /srv/chap.key.";

  private final ScsiSettings settings = ScsiSettings.defaults().withSecrets(box(1));
  private final Fixture fixture = new Fixture(new MemoryEngine(), settings);
  private final LunDirectory luns = fixture.luns();
  private final PoolRecords records = fixture.engine.records();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static SecretBox box(int key) {
    byte[] bytes = new byte[SecretBox.KEY_BYTES];
    Arrays.fill(bytes, (byte) key);
    return SecretBox.of(bytes);
  }

  private ScsiTarget again(SecretBox box) {
    return ScsiTarget.open(fixture.engine, settings.withSecrets(box));
  }

  @Test
  void secretIsAskedForInLowerCaseAndKept() {
    luns.setChapSecret(op(), "iqn.1998-01.com.VMware:ESX1", Optional.of("correct horse battery"));

    assertThat(fixture.target.secrets().chapSecret(ESX)).contains("correct horse battery");
    try (ScsiTarget again = again(box(1))) {
      assertThat(again.secrets().chapSecret(ESX)).contains("correct horse battery");
    }
    luns.setChapSecret(op(), ESX, Optional.empty());
    assertThat(fixture.target.secrets().chapSecret(ESX)).isEmpty();
    assertRefused(() -> luns.setChapSecret(op(), ESX, Optional.of("too short")));
  }

  @Test
  void secretOfTheTargetIsKeptAndIsNotThatOfTheInitiator() {
    luns.setChapSecret(op(), ESX, Optional.of("correct horse battery"));
    luns.setMutualChapSecret(op(), ESX.toUpperCase(), Optional.of("staple and mortar"));

    try (ScsiTarget again = again(box(1))) {
      assertThat(again.secrets().mutualChapSecret(ESX)).contains("staple and mortar");
    }
    assertRefused(() -> luns.setMutualChapSecret(op(), ESX, Optional.of("correct horse battery")));
    assertRefused(() -> luns.setChapSecret(op(), ESX, Optional.of("staple and mortar")));
    assertRefused(() -> luns.setMutualChapSecret(op(), ESX, Optional.of("too short")));
    luns.setMutualChapSecret(op(), ESX, Optional.empty());
    assertThat(fixture.target.secrets().mutualChapSecret(ESX)).isEmpty();
    assertThat(fixture.target.secrets().chapSecret(ESX)).contains("correct horse battery");
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.INVALID));
  }

  @Test
  void settingTheSameSecretsAgainIsToldFromAChange() {
    var first = Optional.of("correct horse battery");
    var second = Optional.of("staple and mortar");

    assertThat(luns.setChapSecrets(op(), ESX, Optional.empty(), Optional.empty())).isFalse();
    assertThat(luns.setChapSecrets(op(), ESX, first, Optional.empty())).isTrue();
    assertThat(luns.setChapSecrets(op(), ESX, first, Optional.empty())).isFalse();
    assertThat(luns.setChapSecrets(op(), ESX, first, second)).isTrue();
    assertThat(luns.setChapSecrets(op(), ESX, second, first)).isTrue();
    assertThat(luns.setChapSecrets(op(), ESX, Optional.empty(), Optional.empty())).isTrue();
  }

  @Test
  void recordsHoldNoSecretInPlainText() {
    luns.setChapSecrets(
        op(), ESX, Optional.of("correct horse battery"), Optional.of("staple and mortar"));

    assertThat(records.withPrefix("").values())
        .noneMatch(value -> value.contains("correct") || value.contains("staple"));
    assertThat(records.withPrefix("scsi/sealed-").keySet())
        .containsExactly("scsi/sealed-chap/" + ESX, "scsi/sealed-mutual-chap/" + ESX);
  }

  @Test
  void plainSecretsOfAnOlderVersionAreSealedAtTheNextOpen() {
    records.apply(
        op(),
        List.of(
            new RecordChange.Put("scsi/chap/" + ESX, "correct horse battery"),
            new RecordChange.Put("scsi/mutual-chap/" + ESX, "staple and mortar")));

    try (ScsiTarget again = again(box(1))) {
      assertThat(again.secrets().chapSecret(ESX)).contains("correct horse battery");
      assertThat(again.secrets().mutualChapSecret(ESX)).contains("staple and mortar");
    }
    assertThat(records.withPrefix("scsi/chap/")).isEmpty();
    assertThat(records.withPrefix("scsi/mutual-chap/")).isEmpty();
    assertThat(records.withPrefix("").values()).noneMatch(value -> value.contains("correct"));
  }

  @Test
  void withoutTheKeyWhoeverHasASecretIsRefusedAndNobodyElse() {
    luns.setChapSecret(op(), ESX, Optional.of("correct horse battery"));

    try (ScsiTarget locked = again(SecretBox.locked(WHY))) {
      assertLocked(() -> locked.secrets().chapSecret(ESX), WHY);
      assertThat(locked.secrets().chapSecret(OTHER)).isEmpty();
      assertLocked(
          () -> locked.luns().setChapSecret(op(), OTHER, Optional.of("correct horse battery")),
          WHY);
      assertThat(locked.secrets().chapSecret(OTHER)).as("after a refused change").isEmpty();

      locked.luns().setChapSecrets(op(), ESX, Optional.empty(), Optional.empty());
      assertThat(locked.secrets().chapSecret(ESX)).as("forgotten").isEmpty();
    }
  }

  @Test
  void anotherKeyOpensNothing() {
    luns.setChapSecret(op(), ESX, Optional.of("correct horse battery"));

    try (ScsiTarget other = again(box(2))) {
      assertLocked(() -> other.secrets().chapSecret(ESX), "is not the one that");
    }
  }

  @Test
  void aRecordThatWasMovedOrChangedOpensForNobody() {
    luns.setChapSecret(op(), ESX, Optional.of("correct horse battery"));
    String sealed = records.find("scsi/sealed-chap/" + ESX).orElseThrow();
    records.apply(
        op(),
        List.of(
            new RecordChange.Put("scsi/sealed-chap/" + OTHER, sealed),
            new RecordChange.Put("scsi/sealed-chap/" + ESX, "AAAA" + sealed.substring(4)),
            new RecordChange.Put("scsi/sealed-mutual-chap/" + ESX, "!"),
            new RecordChange.Put("scsi/sealed-mutual-chap/" + OTHER, "")));

    try (ScsiTarget again = again(box(1))) {
      assertLocked(() -> again.secrets().chapSecret(OTHER), "or that record is damaged");
      assertLocked(() -> again.secrets().chapSecret(ESX), "or that record is damaged");
      assertLocked(() -> again.secrets().mutualChapSecret(ESX), "or that record is damaged");
      assertLocked(() -> again.secrets().mutualChapSecret(OTHER), "or that record is damaged");
    }
  }

  private static void assertLocked(ThrowingCallable call, String why) {
    assertThatExceptionOfType(SecretsLockedException.class)
        .isThrownBy(call)
        .withMessageContaining(why)
        .withMessageNotContainingAny("correct", "battery");
  }
}
