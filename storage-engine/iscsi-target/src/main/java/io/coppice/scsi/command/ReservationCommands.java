package io.coppice.scsi.command;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.copy.CopyScope;
import io.coppice.scsi.copy.ExtendedCopy;
import io.coppice.scsi.page.ReservationData;
import io.coppice.scsi.parameter.ReserveList;
import io.coppice.scsi.reservation.Registrant;
import io.coppice.scsi.reservation.ReservationOutcome;
import io.coppice.scsi.reservation.Reservations;
import io.coppice.scsi.reservation.ReserveOut;
import io.coppice.scsi.reservation.ReserveOut.Action;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.task.Nexuses;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.UnitAttention;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.CompletionBarrier;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;

/// PERSISTENT RESERVE IN and OUT (SPC-4 §6.15, §6.16). Changes of the pool run on the workers.
final class ReservationCommands {

  private final Workers workers;
  private final Nexuses nexuses;
  private final CopyScope scope;

  ReservationCommands(Workers workers, Nexuses nexuses, CopyScope scope) {
    this.workers = workers;
    this.scope = scope;
    this.nexuses = nexuses;
  }

  void in(Task task, VolumeUnit unit, Cdb.ReserveIn cdb) {
    Reservations now = unit.reservations().persistent();
    ByteBuffer data =
        switch (cdb.report()) {
          case KEYS -> ReservationData.keys(now);
          case RESERVATION -> ReservationData.reservation(now);
          case CAPABILITIES -> ReservationData.capabilities(now);
          case FULL_STATUS -> ReservationData.fullStatus(now);
        };
    task.reply(data, cdb.allocationLength());
  }

  void out(Task task, VolumeUnit unit, Cdb.ReserveOut cdb) {
    ByteBuffer sent = task.command().dataOut();
    int length = cdb.parameterListLength();
    ReserveList list =
        cdb.action() == Action.REGISTER_AND_MOVE
            ? ReserveList.decodeMove(sent, length)
            : ReserveList.decode(sent, length);
    switch (list) {
      case ReserveList.Refused(SenseData sense) -> task.fail(sense);
      case ReserveList.Keys keys -> {
        task.expectDataOut(length);
        ReserveOut request =
            new ReserveOut(
                cdb.action(),
                cdb.scope(),
                cdb.type(),
                keys.key(),
                keys.serviceKey(),
                keys.allPorts(),
                keys.persist(),
                null);
        workers.run(task, () -> change(task, unit, request));
      }
      case ReserveList.Move move -> move(task, unit, cdb, move);
    }
  }

  /// Moves a reservation. Only an initiator that reaches the unit, by the port that leads there,
  /// can take it over.
  private void move(Task task, VolumeUnit unit, Cdb.ReserveOut cdb, ReserveList.Move move) {
    if (move.port() != task.nexus().registrant().port()) {
      task.fail(SenseData.invalidParameter(18));
      return;
    }
    if (!scope.reaches(new InitiatorPort(move.name(), move.isid()), unit)) {
      task.fail(SenseData.invalidParameter(ReserveList.LENGTH));
      return;
    }
    task.expectDataOut(cdb.parameterListLength());
    Registrant to = new Registrant(move.name(), move.isid(), move.port());
    ReserveOut request =
        new ReserveOut(
            cdb.action(),
            cdb.scope(),
            cdb.type(),
            move.key(),
            move.serviceKey(),
            false,
            move.persist(),
            new ReserveOut.Move(to, move.unregister()));
    workers.run(task, () -> change(task, unit, request));
  }

  private void change(Task task, VolumeUnit unit, ReserveOut request) {
    switch (unit.reservations().change(task.nexus().registrant(), request)) {
      case ReservationOutcome.Conflict _ ->
          task.finish(ScsiResponse.of(ScsiStatus.RESERVATION_CONFLICT));
      case ReservationOutcome.Refused(SenseData sense) -> task.fail(sense);
      case ReservationOutcome.Done(
              Reservations _,
              Map<Registrant, ReservationOutcome.Notice> notices,
              Set<Registrant> preempted) -> {
        CompletionBarrier drain = new CompletionBarrier(task::succeeded);
        end(task, unit, preempted, drain);
        notices.forEach(
            (who, notice) ->
                nexuses.raise(attention(notice), unit, n -> n.registrant().equals(who)));
        drain.release();
      }
    }
  }

  /// Makes the drain wait until no command of the preempted nexuses can touch the unit. Their own
  /// PERSISTENT RESERVE OUT commands touch no data, and might wait for this one.
  private void end(Task task, VolumeUnit unit, Set<Registrant> preempted, CompletionBarrier drain) {
    if (!preempted.isEmpty()) {
      nexuses.abort(
          unit,
          nexus -> nexus != task.nexus() && preempted.contains(nexus.registrant()),
          command -> !(command instanceof Task other && isReserveOut(other)),
          drain);
      unit.copies()
          .drain(
              command ->
                  command instanceof ExtendedCopy.Hold hold
                      && preempted.stream().anyMatch(who -> isOf(hold.port(), who)),
              false,
              drain);
    }
  }

  private static boolean isReserveOut(Task task) {
    ByteBuffer block = task.command().cdb();
    return block.hasRemaining() && Byte.toUnsignedInt(block.get(block.position())) == 0x5f;
  }

  private static boolean isOf(InitiatorPort port, Registrant who) {
    return port.isid() == who.isid() && port.name().equals(who.name());
  }

  private static UnitAttention attention(ReservationOutcome.Notice notice) {
    return switch (notice) {
      case RESERVATIONS_PREEMPTED -> UnitAttention.RESERVATIONS_PREEMPTED;
      case RESERVATIONS_RELEASED -> UnitAttention.RESERVATIONS_RELEASED;
      case REGISTRATIONS_PREEMPTED -> UnitAttention.REGISTRATIONS_PREEMPTED;
    };
  }
}
