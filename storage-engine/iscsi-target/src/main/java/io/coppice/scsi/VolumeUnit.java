package io.coppice.scsi;

import io.coppice.engine.Volume;
import io.coppice.engine.VolumeKind;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.page.NetworkAddress;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A volume as a logical unit: a bound vVol or a plain LUN.
final class VolumeUnit implements LogicalUnit {

  /// Bytes of a logical block.
  static final int BLOCK_SIZE = 512;

  /// 2^3 logical blocks are a physical block of 4 KiB.
  static final int PHYSICAL_EXPONENT = 3;

  private final Volume volume;
  private final boolean readOnly;
  private final NetworkAddress naa;
  private final AtomicReference<@Nullable NexusState> holder = new AtomicReference<>();

  /// Parts of copies that run for a command at some other unit.
  private final CommandSet copies = new CommandSet();

  /// @param readOnly whether writes are refused though the volume would take them
  VolumeUnit(Volume volume, boolean readOnly, int companyId) {
    this.volume = volume;
    this.readOnly = readOnly || volume.kind() == VolumeKind.SNAPSHOT;
    this.naa = NetworkAddress.of(companyId, "volume", volume.id().value());
  }

  Volume volume() {
    return volume;
  }

  boolean isReadOnly() {
    return readOnly;
  }

  CommandSet copies() {
    return copies;
  }

  long blocks() {
    return volume.sizeInBytes() / BLOCK_SIZE;
  }

  @Override
  public NetworkAddress naa() {
    return naa;
  }

  @Override
  public UUID uuid() {
    return volume.id().value();
  }

  @Override
  public long sizeInBytes() {
    return volume.sizeInBytes();
  }

  /// RESERVE.
  ///
  /// @return false if another nexus holds the reservation
  boolean reserve(NexusState nexus) {
    return holder.compareAndSet(null, nexus) || holder.get() == nexus;
  }

  /// RELEASE; nothing if another nexus holds the reservation.
  void release(NexusState nexus) {
    holder.compareAndSet(nexus, null);
  }

  /// Who holds the reservation; null if nobody does.
  @Nullable NexusState holder() {
    return holder.get();
  }

  /// Whether a command of that nexus meets another nexus's reservation (SPC-2 §5.5.1).
  boolean conflicts(NexusState nexus, Cdb cdb) {
    NexusState owner = holder.get();
    return owner != null
        && owner != nexus
        && !(cdb instanceof Cdb.Inquiry
            || cdb instanceof Cdb.ReportLuns
            || cdb instanceof Cdb.RequestSense
            || cdb instanceof Cdb.Release);
  }

  /// Whether a copy for that initiator port may touch the unit.
  boolean isReservedAgainst(InitiatorPort port) {
    NexusState owner = holder.get();
    return owner != null && !owner.initiator().equals(port);
  }
}
