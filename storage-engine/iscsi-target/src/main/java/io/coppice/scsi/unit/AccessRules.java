package io.coppice.scsi.unit;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.reservation.Registrant;
import io.coppice.scsi.reservation.Reservations;

/// The rules on which commands another nexus's reservation lets pass (SPC-2 §5.5.1, SPC-4 §5.13.1,
/// SBC-3 §4.17).
final class AccessRules {

  private AccessRules() {}

  /// The need of a command when a persistent reservation does not admit its nexus.
  private enum Need {
    /// Passes, whoever holds the reservation.
    NOTHING,
    /// Passes unless the type is Exclusive Access.
    READ,
    /// Conflicts.
    CHANGE,
    /// RESERVE and RELEASE, which registrations change.
    SPC_2,
    /// Follows its own rules.
    SELF
  }

  /// Whether a command conflicts with an SPC-2 reservation.
  ///
  /// @param own whether the nexus holds it
  static boolean conflictsReserved(Cdb cdb, boolean own) {
    if (need(cdb) == Need.SELF) {
      return true; // the two kinds of reservation exclude each other, for the holder too
    }
    return !own
        && !(cdb instanceof Cdb.Inquiry
            || cdb instanceof Cdb.ReportLuns
            || cdb instanceof Cdb.RequestSense
            || cdb instanceof Cdb.Release);
  }

  /// Whether a command conflicts with registrations, with or without a persistent reservation.
  static boolean conflictsRegistered(Cdb cdb, Reservations all, Registrant who) {
    return switch (need(cdb)) {
      case NOTHING, SELF -> false;
      case READ -> !all.admits(who, false);
      case CHANGE -> !all.admits(who, true);
      case SPC_2 -> all.holding() == null || !all.admitsFully(who);
    };
  }

  private static Need need(Cdb cdb) {
    return switch (cdb) { // no default: a new command must be placed here to compile
      case Cdb.Refused _ -> Need.NOTHING;
      case Cdb.Primary primary -> need(primary);
      case Cdb.Block block -> need(block);
    };
  }

  private static Need need(Cdb.Primary cdb) {
    return switch (cdb) {
      case Cdb.TestUnitReady _,
          Cdb.RequestSense _,
          Cdb.Inquiry _,
          Cdb.ReportLuns _,
          Cdb.ReportSupportedOperationCodes _,
          Cdb.ReportSupportedTaskManagement _,
          Cdb.ReportTargetPortGroups _ ->
          Need.NOTHING;
      case Cdb.ModeSense _, Cdb.SetTargetPortGroups _ -> Need.CHANGE;
    };
  }

  private static Need need(Cdb.Block cdb) {
    return switch (cdb) {
      case Cdb.ReadCapacity10 _, Cdb.ReadCapacity16 _, Cdb.StartUnit _, Cdb.LogSense _ ->
          Need.NOTHING;
      case Cdb.Read _, Cdb.Verify _, Cdb.Prefetch _, Cdb.GetLbaStatus _ -> Need.READ;
      case Cdb.PopulateToken _, Cdb.ReceiveTokens _ -> Need.READ;
      case Cdb.Write _,
          Cdb.WriteAndVerify _,
          Cdb.WriteAtomic _,
          Cdb.OrWrite _,
          Cdb.WriteSame _,
          Cdb.Unmap _,
          Cdb.CompareAndWrite _,
          Cdb.SynchronizeCache _,
          Cdb.ModeSelect _,
          Cdb.ReadBuffer _,
          Cdb.WriteBuffer _,
          Cdb.ThirdPartyCopy _ ->
          Need.CHANGE;
      case Cdb.Reserve _, Cdb.Release _ -> Need.SPC_2;
      case Cdb.ReserveIn _, Cdb.ReserveOut _ -> Need.SELF;
    };
  }
}
