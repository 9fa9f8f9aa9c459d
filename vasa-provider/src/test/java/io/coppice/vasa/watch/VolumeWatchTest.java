package io.coppice.vasa.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.status.WrittenCounts;
import io.coppice.vasa.testing.TestWatch;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The judgement of one volume, over simulated hours of work.
class VolumeWatchTest {

  private static final WatchSettings SETTINGS = TestWatch.SETTINGS;
  private static final double SECONDS = SETTINGS.window().toSeconds();
  private static final int HOUR = 120;

  private final Random random = new Random(20261127);
  private WrittenCounts counts = new WrittenCounts(1000, 500, 0, 60, 300_000);
  private Instant begin = Instant.parse("2026-11-27T12:00:00Z");
  private VolumeWatch watch = new VolumeWatch(SETTINGS, counts);

  /// A kind of work.
  ///
  /// @param bits mean entropy of what is written; it varies by a third of a bit
  /// @param blocks written in a window
  /// @param overwritten of them, in percent
  /// @param unmapped in a window
  private record Work(double bits, long blocks, int overwritten, long unmapped) {}

  private static final Work DOCUMENTS = new Work(4.3, 640, 70, 20);
  private static final Work QUIET = new Work(3.9, 40, 80, 0);
  private static final Work ENCRYPTING = new Work(7.58, 60_000, 99, 0);
  private static final Work INSTALLING = new Work(7.5, 60_000, 2, 0);
  private static final Work CIPHERTEXT = new Work(7.58, 3000, 90, 0);

  private WatchState window(Work work) {
    long samples = work.blocks() / 16;
    double bits = Math.min(7.6, work.bits() + (random.nextDouble() - 0.5) * 0.6);
    counts =
        new WrittenCounts(
            counts.written() + work.blocks(),
            counts.overwritten() + work.blocks() * work.overwritten() / 100,
            counts.unmapped() + work.unmapped(),
            counts.samples() + samples,
            counts.entropy() + Math.round(bits * 1000) * samples);
    Instant earlier = begin.minus(SETTINGS.window());
    watch.end(new VolumeWatch.Window(counts, SECONDS, earlier));
    begin = begin.plus(SETTINGS.window());
    return watch.state();
  }

  private void work(Work work, int windows) {
    for (int i = 0; i < windows; i++) {
      window(work);
    }
  }

  /// Does some work, in which the volume must never be a suspect.
  private void calm(Work work, int windows) {
    for (int i = 0; i < windows; i++) {
      assertThat(window(work)).as("window %d of %s", i, work).isNotEqualTo(WatchState.SUSPECT);
    }
  }

  @Test
  void encryptionOfDocumentsIsSuspectAfterTheWindowsOfTheSettings() {
    calm(DOCUMENTS, 4 * HOUR);
    Instant attack = begin;

    calm(ENCRYPTING, SETTINGS.windows() - 1);
    assertThat(watch.state()).isEqualTo(WatchState.RISING);
    assertThat(window(ENCRYPTING)).isEqualTo(WatchState.SUSPECT);

    WatchReading reading = watch.reading();
    assertThat(reading.since()).isEqualTo(attack.minus(SETTINGS.window()));
    assertThat(reading.entropy()).isBetween(7.2, 7.6);
    assertThat(reading.usualEntropy()).isBetween(4.0, 4.6);
    assertThat(reading.rate()).isGreaterThan(50 * reading.usualRate());
  }

  @Test
  void whatBeganInTheMiddleOfAWindowBeganAfterThatTime() {
    calm(DOCUMENTS, HOUR);
    Instant mixed = begin;
    window(new Work(6.4, 20_000, 90, 0));

    work(ENCRYPTING, SETTINGS.windows());

    assertThat(watch.state()).isEqualTo(WatchState.SUSPECT);
    assertThat(watch.reading().since()).isEqualTo(mixed);
  }

  @Test
  void newFilesWhoseOriginalsAreUnmappedAreSuspect() {
    calm(DOCUMENTS, HOUR);

    work(new Work(7.55, 30_000, 0, 30_000), SETTINGS.windows());

    assertThat(watch.state()).isEqualTo(WatchState.SUSPECT);
  }

  @Test
  void aQuietVolumeIsKnownInTheEndAndItsEncryptionSuspect() {
    calm(QUIET, 3 * HOUR);

    work(ENCRYPTING, SETTINGS.windows());

    assertThat(watch.state()).isEqualTo(WatchState.SUSPECT);
  }

  @Test
  void aDatabaseThatAlwaysWasEncryptedIsNot() {
    calm(CIPHERTEXT, 2 * HOUR);
    calm(new Work(7.58, 60_000, 95, 0), HOUR);
  }

  @Test
  void aFreshInstallationIsNot() {
    calm(new Work(5.5, 40_000, 0, 0), 10);
    calm(INSTALLING, HOUR);
    calm(DOCUMENTS, HOUR);
    calm(INSTALLING, HOUR);
  }

  @Test
  void aVolumeThatNobodyKnowsYetIsNot() {
    calm(DOCUMENTS, SETTINGS.learnWindows() / 4);
    calm(ENCRYPTING, HOUR);
  }

  @Test
  void aBurstIsNot() {
    calm(DOCUMENTS, HOUR);
    for (int night = 0; night < 20; night++) {
      calm(ENCRYPTING, SETTINGS.windows() - 1);
      calm(DOCUMENTS, 1);
    }
  }

  @Test
  void muchPlainOverwritingIsNot() {
    calm(DOCUMENTS, HOUR);
    calm(new Work(5.0, 60_000, 99, 0), HOUR);
  }

  @Test
  void aDiscardOfEverythingIsNot() {
    calm(DOCUMENTS, HOUR);
    calm(new Work(4.2, 320, 0, 4_000_000), 20);
  }

  @Test
  void slowEncryptionIsNotSeen() {
    calm(DOCUMENTS, HOUR);
    calm(new Work(7.55, 320, 99, 0), HOUR);
  }

  @Test
  void aSuspicionEndsWhenTheJumpIsOverAndTheNextOneIsSeenAgain() {
    work(DOCUMENTS, HOUR);
    work(ENCRYPTING, 10);

    work(DOCUMENTS, SETTINGS.windows() - 1);
    assertThat(watch.state()).isEqualTo(WatchState.SUSPECT);
    assertThat(window(DOCUMENTS)).isEqualTo(WatchState.NORMAL);
    assertThat(watch.reading().since()).isNull();

    work(ENCRYPTING, SETTINGS.windows());
    assertThat(watch.state()).isEqualTo(WatchState.SUSPECT);
  }

  @Test
  void aPauseOfTheAttackerIsNoEnd() {
    work(DOCUMENTS, HOUR);
    work(ENCRYPTING, 10);
    Instant since = watch.reading().since();

    for (int i = 0; i < 10; i++) {
      work(QUIET, SETTINGS.windows() - 1);
      work(ENCRYPTING, 1);
    }

    assertThat(watch.state()).isEqualTo(WatchState.SUSPECT);
    assertThat(watch.reading().since()).isEqualTo(since);
  }

  @Test
  void whatLastsADayIsUsualFromThenOn() {
    work(DOCUMENTS, HOUR);
    work(ENCRYPTING, SETTINGS.windows());
    int day = (int) (SETTINGS.longest().toSeconds() / SETTINGS.window().toSeconds());

    work(ENCRYPTING, day - 1);
    assertThat(watch.state()).isEqualTo(WatchState.SUSPECT);
    window(ENCRYPTING);

    assertThat(watch.state()).isEqualTo(WatchState.LEARNING);
    calm(ENCRYPTING, 4 * HOUR);
    assertThat(watch.state()).isEqualTo(WatchState.NORMAL);
  }

  @Test
  void aRestartDuringAnAttackRaisesNothingAndIsLearned() {
    work(DOCUMENTS, HOUR);
    work(ENCRYPTING, 2);

    counts = WrittenCounts.NONE;
    watch = new VolumeWatch(SETTINGS, counts);

    assertThat(watch.reading().usualEntropy()).isNull();
    calm(ENCRYPTING, HOUR);
    calm(DOCUMENTS, 4 * HOUR);
  }
}
