package io.coppice.vasa.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.GroupDraft;
import io.coppice.vasa.protection.KeptPoint;
import io.coppice.vasa.protection.ProtectedGroup;
import io.coppice.vasa.protection.ProtectedMember;
import io.coppice.vasa.protection.ProtectionDraft;
import io.coppice.vasa.protection.WatchRule;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.testing.TestWatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// A volume of a real pool whose documents are written over by noise.
class EncryptedVolumeTest {

  private static final int MIB = 1 << 20;
  private static final int SIZE_MIB = 12;
  private static final String TEXT = "It is not down on any map; true places never are. ";

  private final TestClock clock = new TestClock();

  @AutoClose
  private final PoolFixture pool =
      PoolFixture.ofBytes(160L << 20).zones(1 << 20).clock(clock).nanos(clock::nanos);

  private final StorageEngine engine = pool.format().open();
  private final ControlPlane plane = ControlPlane.withBin(engine, clock, ControlPlane.NO_BIN);
  private final Random random = new Random(11);
  private final VolumeId disk =
      plane.volume(plane.containers.create("c1", 100 * MIB), (long) SIZE_MIB * MIB);
  private final Volume volume = engine.open(disk);
  private int number;

  private void write(int mebibyte, boolean noise) {
    byte[] content = new byte[MIB];
    if (noise) {
      random.nextBytes(content);
    } else {
      byte[] text = (++number + TEXT).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < MIB; i++) {
        content[i] = text[i % text.length];
      }
    }
    ByteBuffer bytes = ByteBuffer.allocateDirect(64 << 10);
    for (int at = 0; at < MIB; at += bytes.capacity()) {
      volume.write(
          (long) mebibyte * MIB + at, bytes.clear().put(content, at, bytes.capacity()).flip());
    }
  }

  private ProtectedGroup protect() {
    ProtectionRules rules =
        new ProtectionRules(
            List.of(
                new ProtectionRule(
                    "hour",
                    new Recurrence.Hourly(0),
                    new Keeping.Newest(20),
                    PointNaming.USUAL,
                    Duration.ZERO)));
    WatchRule rule = new WatchRule(true, Duration.ofHours(48));
    return plane.protection.groups.protect(
        new GroupDraft(
            "shop",
            plane
                .protection
                .policies
                .create(new ProtectionDraft("gold", "", rules, ContinuousRule.NONE, rule), "ada")
                .id(),
            List.of(new ProtectedMember.Volume(disk))));
  }

  @Test
  void isASuspectAndGetsALockedPointThatNobodyDeletes() {
    ProtectedGroup group = protect();
    for (int i = 0; i < SIZE_MIB; i++) {
      write(i, false);
    }
    for (int i = 0; i <= TestWatch.SETTINGS.learnWindows() + 1; i++) {
      write(i % SIZE_MIB, false);
      write((i + 5) % SIZE_MIB, false);
      plane.watch.pass();
    }
    KeptPoint clean = plane.protection.groups.takeNow(group.id(), "clean");
    clock.advance(Duration.ofMinutes(2));
    plane.watch.pass();
    plane.watch.pass();
    assertThat(plane.watch.watches.find(disk).orElseThrow().state()).isEqualTo(WatchState.NORMAL);

    for (int i = 0; i < TestWatch.SETTINGS.windows(); i++) {
      for (int at = 0; at < 8; at++) {
        write((i * 8 + at) % SIZE_MIB, true);
      }
      plane.watch.pass();
    }

    Suspicion suspicion = plane.watch.answers.find(disk).orElseThrow();
    assertThat(suspicion.lastBefore())
        .isNotNull()
        .extracting(PointBefore::point)
        .isEqualTo(clean.point().id());
    assertThat(suspicion.suspect().reading().entropy()).isGreaterThan(7.5);
    KeptPoint locked = plane.protection.points.require(suspicion.taken().getFirst());
    assertThatThrownBy(() -> plane.protection.groups.deletePoint(locked.point().id(), true))
        .isInstanceOf(VasaException.class)
        .hasMessageContaining("locked until");
    VolumeId snapshot = locked.snapshots().getFirst();
    assertThatThrownBy(() -> plane.volumes.deleteForGood(snapshot))
        .isInstanceOf(VasaException.class)
        .hasMessageContaining("locked until");
    assertThat(engine.find(snapshot)).isPresent();
    plane.target.close();
  }
}
