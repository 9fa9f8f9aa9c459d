package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.op;
import static io.coppice.scsi.Tokens.fill;
import static io.coppice.scsi.Tokens.make;
import static io.coppice.scsi.Tokens.populate;
import static io.coppice.scsi.Tokens.range;
import static io.coppice.scsi.Tokens.read;
import static io.coppice.scsi.Tokens.receive;
import static io.coppice.scsi.Tokens.state;
import static io.coppice.scsi.Tokens.write;
import static io.coppice.scsi.Tokens.writeList;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.Await;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Copies that take long: in the background, asked about, ended by others (SPC-4 §5.17.4).
class CopyOperationTest {

  private static final String LUN_1 = "0001000000000000";
  private static final LogicalUnitNumber SECOND = new LogicalUnitNumber(0x0001000000000000L);

  private final HeldEngine held = new HeldEngine();
  private final Fixture fixture = new Fixture(held.engine(), ScsiSettings.defaults());
  private VolumeId destination;
  private Initiator host;
  private String token;

  @BeforeEach
  void makeToken() {
    fixture.exported(1 << 20);
    destination = fixture.exported(1 << 20);
    host = fixture.plain();
    host.settle(LUN_1);
    fill(host, LUN_0, 0, 16, 0x11);
    token = make(host, LUN_0, 1, range(0, 16));
  }

  @AfterEach
  void close() {
    held.release();
    fixture.close();
  }

  @Test
  void immediateWriteIsAnsweredAndGoesOn() throws Exception {
    held.hold();

    Reply reply = write(host, LUN_1, 2, "01", 0, token, range(0, 8));
    held.awaitHeld(1);

    assertThat(reply.status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(receive(host, LUN_1, 2).hex(4, 12)).isEqualTo("1112" + "0000" + "00000064");
    held.release();
    awaitState(2, "01");
    assertThat(read(host, LUN_1, 0, 8)).containsOnly(0x11);
  }

  @Test
  void immediateTokenIsThereWhenItsOperationHasEnded() {
    populate(host, LUN_0, 5, "01", "00000000" + "00000000", range(0, 16));

    Await.until("a token", () -> state(host, LUN_0, 5).equals("01"));

    String made = Tokens.token(host, LUN_0, 5);
    assertThat(write(host, LUN_1, 6, made, range(0, 8)).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void identifierInUseIsRefused() throws Exception {
    held.hold();
    write(host, LUN_1, 2, "01", 0, token, range(0, 8));
    held.awaitHeld(1);

    assertThat(write(host, LUN_1, 2, token, range(8, 8)).code()).isEqualTo("5/00/16");
    assertThat(populate(host, LUN_0, 2, range(0, 8)).code()).isEqualTo("5/00/16");
    held.release();
    awaitState(2, "01");
    assertThat(write(host, LUN_1, 2, token, range(8, 8)).code()).isEmpty();
  }

  @Test
  void abortedOperationEndsBeforeTheAbortIsAnswered() throws Exception {
    held.hold();
    Pending writing = host.begin(LUN_1, writeCdb(3), list("00", range(0, 4) + range(8, 4)));
    held.awaitHeld(1);

    Pending abort = host.begin(LUN_1, abortCdb(3));
    assertThat(abort.reply()).isNotDone();
    assertThat(state(host, LUN_1, 3)).isEqualTo("11");
    held.release();

    assertThat(Initiator.await(abort).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(Initiator.await(writing).code()).isEqualTo("a/2f/02");
    assertThat(state(host, LUN_1, 3)).isEqualTo("60");
    assertThat(read(host, LUN_1, 8, 4)).as("the second range was not begun").containsOnly(0);
    assertThat(host.send(LUN_1, abortCdb(3)).code()).as("it has ended").isEqualTo("5/24/00");
    assertThat(host.send(LUN_1, abortCdb(77)).code()).as("nobody knows it").isEqualTo("5/24/00");
  }

  @Test
  void abortReachesTheBackground() throws Exception {
    held.hold();
    write(host, LUN_1, 3, "01", 0, token, range(0, 4) + range(8, 4));
    held.awaitHeld(1);

    Pending abort = host.begin(LUN_1, abortCdb(3));
    assertThat(abort.reply()).isNotDone();
    held.release();

    assertThat(Initiator.await(abort).status()).isEqualTo(ScsiStatus.GOOD);
    assertThat(state(host, LUN_1, 3)).isEqualTo("60");
    assertThat(read(host, LUN_1, 8, 4)).containsOnly(0);
  }

  @Test
  void resetWaitsForTheBackgroundAndForgetsWhatEnded() throws Exception {
    held.hold();
    write(host, LUN_1, 3, "01", 0, token, range(0, 4) + range(8, 4));
    held.awaitHeld(1);

    CompletableFuture<TaskManagementOutcome> reset =
        host.beginManage(new TaskManagement.LogicalUnitReset(SECOND));
    assertThat(reset).isNotDone();
    held.release();

    assertThat(reset.get(30, TimeUnit.SECONDS)).isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    host.settle(LUN_1);
    assertThat(receive(host, LUN_1, 3).code()).isEqualTo("5/24/00");
    assertThat(read(host, LUN_1, 8, 4)).containsOnly(0);
  }

  @Test
  void endOfTheNexusWaitsForTheBackground() throws Exception {
    held.hold();
    write(host, LUN_1, 3, "01", 0, token, range(0, 4) + range(8, 4));
    held.awaitHeld(1);

    CompletableFuture<Boolean> gone = host.beginDetach();
    assertThat(gone).isNotDone();
    held.release();

    assertThat(gone.get(30, TimeUnit.SECONDS)).isTrue();
    Initiator again = fixture.plain();
    again.settle(LUN_1);
    assertThat(read(again, LUN_1, 8, 4)).containsOnly(0);
  }

  @Test
  void unexportWaitsForTheBackground() throws Exception {
    held.hold();
    write(host, LUN_1, 3, "01", 0, token, range(0, 4));
    held.awaitHeld(1);

    CompletableFuture<Void> unexport =
        CompletableFuture.runAsync(() -> fixture.luns().unexport(op(), destination));
    Await.until(
        "the unit is taken away",
        () -> host.send(LUN_1, "25 00 00000000 0000 00 00").code().equals("5/25/00"));
    assertThat(unexport).isNotDone();
    held.release();

    unexport.get(30, TimeUnit.SECONDS);
    fixture.engine.delete(op(), destination);
  }

  /// The tag is free again once the command was answered: who aborts a new command with it must not
  /// end the operation of the old one.
  @Test
  void abortTaskDoesNotReachAnAnsweredCommand() throws Exception {
    held.hold();
    Pending write = host.begin(LUN_1, writeCdb(3), list("01", range(0, 4) + range(8, 4)));
    assertThat(Initiator.await(write).status()).isEqualTo(ScsiStatus.GOOD);
    held.awaitHeld(1);

    assertThat(host.manage(new TaskManagement.AbortTask(SECOND, write.tag())))
        .isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    held.release();

    awaitState(3, "01");
    assertThat(read(host, LUN_1, 8, 4)).containsOnly(0x11);
  }

  @Test
  void tokenInUseIsDeletedAfterItsLastUser() throws Exception {
    held.hold();
    write(host, LUN_1, 3, "01", 0, token, range(0, 8));
    write(host, LUN_1, 4, "03", 0, token, range(16, 8));
    held.awaitHeld(2);
    held.release();

    awaitState(3, "01");
    awaitState(4, "01");
    assertThat(read(host, LUN_1, 0, 8)).containsOnly(0x11);
    assertThat(read(host, LUN_1, 16, 8)).containsOnly(0x11);
    assertThat(write(host, LUN_1, 5, token, range(0, 8)).code()).isEqualTo("5/23/09");
    Await.until(
        "the snapshot is gone",
        () -> fixture.engine.list().stream().noneMatch(ScsiTarget::holdsToken));
  }

  @Test
  void outcomesOfTheLast256OperationsAreKept() {
    for (int list = 0; list < 300; list++) {
      write(host, LUN_1, 1000 + list, token, range(0, 1));
    }

    assertThat(receive(host, LUN_1, 1299).hex(5, 6)).isEqualTo("01");
    assertThat(receive(host, LUN_1, 1044).hex(5, 6)).isEqualTo("01");
    assertThat(receive(host, LUN_1, 1043).code()).isEqualTo("5/24/00");
  }

  private void awaitState(int list, String wanted) {
    Await.until(
        "state %s of list %d".formatted(wanted, list),
        () -> state(host, LUN_1, list).equals(wanted));
  }

  private byte[] list(String flags, String ranges) {
    return HexFormat.of().parseHex(writeList(flags, 0, token, ranges));
  }

  private String writeCdb(int list) {
    return Tokens.cdb("11", list, 536 + 32);
  }

  private static String abortCdb(int list) {
    return "83 1c %08x 00000000 00000000 00 00".formatted(list);
  }
}
