package io.coppice.scsi;

import io.coppice.scsi.transport.DataInAllocator;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.ScsiCommand;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TargetDevice;
import io.coppice.scsi.transport.TaskAttribute;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// An initiator without a transport: it sends command blocks written in hex and awaits the answers.
final class Initiator {

  private static final AtomicLong TAGS = new AtomicLong();

  private final TargetDevice target;
  private final Nexus nexus;
  private DataInAllocator memory = ByteBuffer::allocateDirect;

  Initiator(TargetDevice target, String name) {
    this(target, name, 0x23d000000L);
  }

  Initiator(TargetDevice target, String name, long isid) {
    this.target = target;
    this.nexus = target.attach(new InitiatorPort(name, isid));
  }

  /// Takes memory for data from there, from now on.
  void use(DataInAllocator from) {
    memory = from;
  }

  Nexus nexus() {
    return nexus;
  }

  /// Status, sense and data of one command.
  record Reply(ScsiStatus status, String sense, byte[] data, long transferLength) {

    /// Sense key, additional sense code and qualifier as `5/24/00`; empty without sense.
    String code() {
      return sense.isEmpty()
          ? ""
          : "%s/%s/%s".formatted(sense.charAt(5), sense.substring(24, 26), sense.substring(26, 28));
    }

    String hex() {
      return HexFormat.of().formatHex(data);
    }

    String hex(int from, int to) {
      return hex().substring(2 * from, 2 * to);
    }
  }

  /// Sends a command and awaits its answer.
  ///
  /// @param lun 16 hex digits
  Reply send(String lun, String cdb, byte... dataOut) {
    return await(begin(lun, cdb, dataOut));
  }

  Reply send(long lun, String cdb, byte... dataOut) {
    return send("%016x".formatted(lun), cdb, dataOut);
  }

  /// A command under way.
  record Pending(long tag, CompletableFuture<Reply> reply) {}

  Pending begin(String lun, String cdb, byte... dataOut) {
    return begin(TaskAttribute.SIMPLE, lun, cdb, dataOut);
  }

  Pending begin(TaskAttribute attribute, String lun, String cdb, byte... dataOut) {
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    ByteBuffer block = ByteBuffer.wrap(HexFormat.of().parseHex(cdb.replace(" ", "")));
    long tag = TAGS.incrementAndGet();
    target.execute(
        new ScsiCommand(
            nexus,
            new LogicalUnitNumber(Long.parseUnsignedLong(lun, 16)),
            tag,
            attribute,
            block.asReadOnlyBuffer(),
            ByteBuffer.wrap(dataOut.clone()),
            memory,
            response -> {
              if (!reply.complete(reply(response))) {
                throw new AssertionError("a command was answered twice: " + cdb);
              }
            },
            false));
    return new Pending(tag, reply);
  }

  static Reply await(Pending pending) {
    try {
      return pending.reply().get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("expected an answer within 10 s", e);
    }
  }

  private static Reply reply(ScsiResponse response) {
    return new Reply(
        response.status(),
        HexFormat.of().formatHex(bytes(response.sense())),
        bytes(response.dataIn()),
        response.transferLength());
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /// Sends TEST UNIT READY until no unit attention is left.
  void settle(String lun) {
    for (int i = 0; i < 10; i++) {
      if (send(lun, "00 00 00 00 00 00").status() == ScsiStatus.GOOD) {
        return;
      }
    }
    throw new AssertionError("expected LUN %s to become ready".formatted(lun));
  }

  TaskManagementOutcome manage(TaskManagement function) {
    CompletableFuture<TaskManagementOutcome> outcome = new CompletableFuture<>();
    target.manage(nexus, function, outcome::complete);
    return outcome.orTimeout(10, TimeUnit.SECONDS).join();
  }

  CompletableFuture<TaskManagementOutcome> beginManage(TaskManagement function) {
    CompletableFuture<TaskManagementOutcome> outcome = new CompletableFuture<>();
    target.manage(nexus, function, outcome::complete);
    return outcome;
  }

  CompletableFuture<Boolean> beginDetach() {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    target.detach(nexus, () -> done.complete(true));
    return done;
  }
}
