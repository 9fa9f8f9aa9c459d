package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TargetDevice;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A host that logs in, looks for its units and reads, again and again, while the directory changes
/// around it: what it keeps answers it at every moment.
class UndisturbedHostTest {

  private static final int ROUNDS = 1_000;
  private static final String UNIT_ATTENTION = "6/";
  private static final String READ = "28 00 00000000 00 0001 00";

  private final Fixture fixture = new Fixture();
  private final LunDirectory luns = fixture.luns();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile String lun = LUN_0;

  @AfterEach
  void close() {
    ended.set(true);
    thread.shutdownNow();
    fixture.close();
  }

  @Test
  void exportStaysWhileAnotherInitiatorComesAndGoes() {
    VolumeId volume = fixture.exported(1 << 20);

    CompletableFuture<Void> host = logsInAllTheTime(fixture.target.plain());
    for (int i = 0; i < ROUNDS; i++) {
      luns.removeInitiator(op(), volume, OTHER);
      luns.addInitiator(op(), volume, OTHER);
    }

    assertWasAnswered(host);
  }

  @Test
  void exportStaysWhileOthersAtItsNumberComeAndGo() {
    fixture.exported(1 << 20);
    VolumeId other = fixture.volume(1 << 20);
    String third = "iqn.2026-11.example:third";
    String fourth = "iqn.2026-11.example:fourth";

    CompletableFuture<Void> host = logsInAllTheTime(fixture.target.plain());
    for (int i = 0; i < ROUNDS; i++) {
      luns.export(op(), other, Optional.of(0), false, Set.of(third));
      luns.addInitiator(op(), other, fourth);
      luns.unexport(op(), other);
    }

    assertWasAnswered(host);
  }

  @Test
  void bindingStaysWhileAnotherHostComesAndGoes() {
    VolumeId volume = fixture.volume(1 << 20);
    lun = lunOf(fixture.bound(volume));

    CompletableFuture<Void> host = logsInAllTheTime(fixture.target.endpoints());
    for (int i = 0; i < ROUNDS; i++) {
      luns.bind(op(), OTHER_HOST, volume, Set.of());
      luns.unbind(op(), OTHER_HOST, volume);
    }

    assertWasAnswered(host);
  }

  @Test
  void formerPlaceStaysUntilTheHostHasLeftIt() {
    luns.addEndpoint(op());
    VolumeId volume = fixture.volume(1 << 20);
    lun = lunOf(luns.bind(op(), HOST, volume, Set.of(1)));

    CompletableFuture<Void> host = logsInAllTheTime(fixture.target.endpoints());
    for (int i = 0; i < ROUNDS / 5 && !host.isDone(); i++) {
      int from = 1 + i % 2;
      luns.retireEndpoint(op(), from);
      lun = lunOf(luns.rebind(op(), HOST, volume, Set.of()));
      awaitAnswers(host, 2); // the second one is of a session that went to the new place
      luns.leave(op(), HOST, volume);
      luns.restoreEndpoint(op(), from);
    }

    assertWasAnswered(host);
  }

  @Test
  void bindingStaysWhileItsHostGetsAndLosesAnotherInitiator() {
    VolumeId volume = fixture.volume(1 << 20);
    lun = lunOf(fixture.bound(volume));

    CompletableFuture<Void> host = logsInAllTheTime(fixture.target.endpoints());
    for (int i = 0; i < ROUNDS; i++) {
      luns.declareHost(op(), HOST, Set.of(ESX, "iqn.1998-01.com.vmware:esx1-b"));
      luns.declareHost(op(), HOST, Set.of(ESX));
    }

    assertWasAnswered(host);
  }

  private static String lunOf(Binding place) {
    return "%04x%s0000".formatted(place.endpoint().lun(), place.secondaryId().substring(2));
  }

  /// Opens one session after the other until one is not answered with GOOD, or the test ends.
  private CompletableFuture<Void> logsInAllTheTime(TargetDevice where) {
    CompletableFuture<Void> host =
        CompletableFuture.runAsync(
            () -> {
              while (!ended.get()) {
                Initiator session = new Initiator(where, ESX);
                Initiator.Reply reply = session.send(lun, READ);
                while (reply.code().startsWith(UNIT_ATTENTION)) {
                  reply = session.send(lun, READ);
                }
                assertThat(reply.status()).as(reply.code()).isEqualTo(ScsiStatus.GOOD);
                session.beginDetach().join();
                answers.incrementAndGet();
              }
            },
            thread);
    awaitAnswers(host, 1);
    return host;
  }

  private void awaitAnswers(CompletableFuture<Void> host, int more) {
    long enough = answers.get() + more;
    while (answers.get() < enough && !host.isDone()) {
      Thread.yield();
    }
  }

  private void assertWasAnswered(CompletableFuture<Void> host) {
    awaitAnswers(host, 1);
    ended.set(true);
    assertThat(host).succeedsWithin(60, TimeUnit.SECONDS);
  }
}
