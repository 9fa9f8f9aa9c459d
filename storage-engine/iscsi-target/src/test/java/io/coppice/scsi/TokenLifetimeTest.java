package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.op;
import static io.coppice.scsi.Tokens.fill;
import static io.coppice.scsi.Tokens.make;
import static io.coppice.scsi.Tokens.populate;
import static io.coppice.scsi.Tokens.range;
import static io.coppice.scsi.Tokens.read;
import static io.coppice.scsi.Tokens.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.limit.ManualTimer;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.setting.TokenLimits;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// How long tokens live, and what is left of them (SPC-4 §5.17.6.7).
class TokenLifetimeTest {

  @Test
  void unusedTokenExpiresAndLeavesNothing() {
    ManualTimer time = new ManualTimer();
    try (Fixture fixture = new Fixture(new MemoryEngine(), time)) {
      Initiator host = exported(fixture);
      String usual = make(host, LUN_0, 1, range(0, 8));
      populate(host, LUN_0, 2, "00", "00000258" + "00000000", range(0, 8));
      String longer = Tokens.token(host, LUN_0, 2);

      time.advanceMillis(59_000);
      assertThat(using(host, usual)).as("used once more, the time begins anew").isEmpty();
      time.advanceMillis(59_000);
      assertThat(using(host, usual)).isEmpty();
      time.advanceMillis(60_000);
      assertThat(using(host, usual)).isEqualTo("5/23/07");
      assertThat(using(host, longer)).isEmpty();
      time.advanceMillis(600_000);

      assertThat(using(host, longer)).isEqualTo("5/23/07");
      awaitSnapshots(fixture.engine, 0);
    }
  }

  /// The alarm set for a token that may stay long is too late for one made after it.
  @Test
  void shortTokenMadeAfterALongOneLeavesNothingWhenItExpires() {
    ManualTimer time = new ManualTimer();
    try (Fixture fixture = new Fixture(new MemoryEngine(), time)) {
      Initiator host = exported(fixture);
      int others = time.armed();
      populate(host, LUN_0, 1, "00", "00000258" + "00000000", range(0, 8));
      make(host, LUN_0, 2, range(0, 8));
      awaitSnapshots(fixture.engine, 2);

      time.advanceMillis(60_000);
      awaitSnapshots(fixture.engine, 1);
      make(host, LUN_0, 3, range(0, 8));
      time.advanceMillis(60_000);
      awaitSnapshots(fixture.engine, 1);

      time.advanceMillis(480_000);
      awaitSnapshots(fixture.engine, 0);
      assertThat(time.armed()).as("no alarm is left").isEqualTo(others);
    }
  }

  @Test
  void tokenInUseLivesNoLongerThanItsLifetime() {
    ManualTimer time = new ManualTimer();
    TokenLimits limits = new TokenLimits(8, 8, 256 << 20, 60, 60, 100);
    MemoryEngine engine = new MemoryEngine();
    ScsiSettings settings = ScsiSettings.defaults().withTokenLimits(limits);
    try (Fixture fixture = new Fixture(engine, ScsiTarget.open(engine, settings, time))) {
      Initiator host = exported(fixture);
      String token = make(host, LUN_0, 1, range(0, 8));
      time.advanceMillis(55_000);
      assertThat(using(host, token)).isEmpty();
      time.advanceMillis(44_000);
      assertThat(using(host, token)).isEmpty();

      time.advanceMillis(1_000);

      assertThat(using(host, token)).isEqualTo("5/23/07");
    }
  }

  @Test
  void timesThatAreSetAreToldAndKept() {
    ManualTimer time = new ManualTimer();
    TokenLimits limits = TokenLimits.defaults().withTokens(8).withTimes(30, 90, 3600);
    MemoryEngine engine = new MemoryEngine();
    ScsiSettings settings = ScsiSettings.defaults().withTokenLimits(limits);
    try (Fixture fixture = new Fixture(engine, settings, time)) {
      Initiator host = exported(fixture);
      String page = host.send(LUN_0, "12 01 8f 04 00 00").hex();
      assertThat(page.substring(32, 48)).as("maximum, default").isEqualTo("0000005a" + "0000001e");
      int features = page.indexOf("0106005c") + 2 * (4 + 12 + 4);
      assertThat(page.substring(features, features + 16))
          .as("lifetime, maximum")
          .isEqualTo("00000e10" + "0000005a");

      String usual = make(host, LUN_0, 1, range(0, 8));
      populate(host, LUN_0, 2, "00", "0000005a" + "00000000", range(0, 8));
      String longer = Tokens.token(host, LUN_0, 2);
      assertThat(populate(host, LUN_0, 3, "00", "0000005b" + "00000000", range(0, 8)).code())
          .isEqualTo("5/26/00");
      time.advanceMillis(30_000);
      assertThat(using(host, usual)).isEqualTo("5/23/07");
      time.advanceMillis(59_000);
      assertThat(using(host, longer)).isEmpty();
    }
  }

  @Test
  void restartEndsAllTokensAndRemovesTheirSnapshots() {
    MemoryEngine engine = new MemoryEngine();
    Fixture before = new Fixture(engine, ScsiSettings.defaults());
    Initiator host = exported(before);
    String token = make(host, LUN_0, 1, range(0, 8));
    awaitSnapshots(engine, 1);

    // As after a crash: the first target was never closed.
    try (ScsiTarget after = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      awaitSnapshots(engine, 0);
      Initiator again = new Initiator(after.plain(), ESX);
      again.settle(LUN_0);
      assertThat(using(again, token)).isEqualTo("5/23/04");
    }
    engine.close();
  }

  @Test
  void closedTargetLeavesNoSnapshot() {
    MemoryEngine engine = new MemoryEngine();
    try (ScsiTarget target = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      Fixture fixture = new Fixture(engine, target);
      make(exported(fixture), LUN_0, 1, range(0, 8));
      awaitSnapshots(engine, 1);
    }

    awaitSnapshots(engine, 0);
    engine.close();
  }

  @Test
  void tokensEndWhenNobodyReachesTheirSourceAnyMore() {
    try (Fixture fixture = new Fixture()) {
      Initiator host = exported(fixture);
      VolumeId other = fixture.exported(1 << 20);
      host.settle("0001000000000000");
      fill(host, "0001000000000000", 0, 8, 0x11);
      String token = make(host, "0001000000000000", 1, range(0, 8));

      fixture.luns().unexport(op(), other);
      host.settle(LUN_0);

      assertThat(using(host, token)).isEqualTo("5/23/06");
      awaitSnapshots(fixture.engine, 0);
      fixture.engine.delete(op(), other);
    }
  }

  /// Whoever makes too many ends its own oldest one, and no other initiator's.
  @Test
  void tooManyTokensEndThoseOfWhoeverHasMost() {
    MemoryEngine engine = new MemoryEngine();
    TokenLimits limits = new TokenLimits(4, 8, 256 << 20, 60, 600, 86_400);
    ScsiSettings settings = ScsiSettings.defaults().withTokenLimits(limits);
    try (Fixture fixture = new Fixture(engine, settings)) {
      Initiator host = exported(fixture);
      Initiator other = new Initiator(fixture.target.plain(), OTHER);
      other.settle(LUN_0);
      String kept = make(other, LUN_0, 1, range(0, 8));
      List<String> many = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        many.add(make(host, LUN_0, i, range(0, 8)));
      }

      assertThat(using(host, kept)).isEmpty();
      for (int i = 0; i < 6; i++) {
        assertThat(using(host, many.get(i))).as("token %d", i).isEqualTo(i < 3 ? "5/23/08" : "");
      }
      awaitSnapshots(engine, 4);
    }
  }

  @Test
  void reservedVolumeWithoutSpaceForASnapshotMakesNoToken() {
    MemoryEngine engine = new MemoryEngine(8 << 20, InstantSource.system());
    try (Fixture fixture = new Fixture(engine, ScsiSettings.defaults())) {
      VolumeId volume = VolumeId.random();
      engine.create(op(), new VolumeSpec(volume, 6 << 20, true, Map.of()));
      fixture.luns().export(op(), volume, Optional.of(0), false, Set.of(ESX));
      Initiator host = fixture.plain();
      fill(host, LUN_0, 0, 8192, 0x11);

      assertThat(populate(host, LUN_0, 1, range(0, 8)).code()).isEqualTo("5/55/0c");

      assertThat(Tokens.state(host, LUN_0, 1)).isEqualTo("02");
      awaitSnapshots(engine, 0);
    }
  }

  @Test
  void reportListsTheTokensOfTheUnit() {
    try (Fixture fixture = new Fixture()) {
      Initiator host = exported(fixture);
      fixture.exported(1 << 20);
      host.settle("0001000000000000");
      host.settle(LUN_0);
      String report = "84 08 00000000 00000000 00001000 00 00";
      assertThat(host.send(LUN_0, report).hex()).isEqualTo("00000004" + "00000000");

      String first = make(host, LUN_0, 1, range(0, 8));
      String second = make(host, LUN_0, 2, range(8, 8));
      make(host, "0001000000000000", 3, range(0, 8));

      assertThat(host.send(LUN_0, report).hex())
          .isEqualTo("000000c4" + "00000000" + first.substring(0, 192) + second.substring(0, 192));
    }
  }

  @Test
  void tokenKnowsNothingOfANewSizeOfItsSource() {
    try (Fixture fixture = new Fixture()) {
      VolumeId volume = fixture.exported(1 << 20);
      fixture.exported(1 << 20);
      Initiator host = fixture.plain();
      host.settle("0001000000000000");
      fill(host, LUN_0, 0, 8, 0x22);
      String token = make(host, LUN_0, 1, range(0, 8));
      fixture.engine.resize(op(), volume, 2 << 20);
      host.settle(LUN_0);
      fill(host, LUN_0, 0, 8, 0x33);

      Tokens.write(host, "0001000000000000", 2, token, range(0, 8));

      assertThat(read(host, "0001000000000000", 0, 8)).containsOnly(0x22);
    }
  }

  private static Initiator exported(Fixture fixture) {
    VolumeId volume = fixture.volume(1 << 20);
    fixture.luns().export(op(), volume, Optional.of(0), false, Set.of(ESX, OTHER));
    return fixture.plain();
  }

  private static String using(Initiator host, String token) {
    return write(host, LUN_0, 99, token, range(100, 8)).code();
  }

  private static void awaitSnapshots(StorageEngine engine, int count) {
    Await.until(
        "%d snapshots of tokens".formatted(count),
        () -> engine.list().stream().filter(ScsiTarget::holdsToken).count() == count);
  }

  /// Nothing but the device server's own mark makes a volume a token's.
  @Test
  void volumesOfOthersAreNoTokens() {
    try (Fixture fixture = new Fixture()) {
      exported(fixture);
      assertThat(fixture.engine.list()).noneMatch((VolumeInfo info) -> ScsiTarget.holdsToken(info));
    }
  }
}
