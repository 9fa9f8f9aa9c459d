package io.coppice.scsi;

import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.page.NetworkAddress;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume as a logical unit: a bound vVol or a plain LUN.
final class VolumeUnit implements LogicalUnit {

  /// Bytes of a logical block.
  static final int BLOCK_SIZE = 512;

  /// 2^3 logical blocks are a physical block of 4 KiB.
  static final int PHYSICAL_EXPONENT = 3;

  private final Volume volume;
  private volatile boolean readOnly;
  private final NetworkAddress naa;
  private final UnitReservations reservations;
  private final UnitAdmission admission;
  private final SoftThreshold threshold;
  private volatile ModePages.Control control = ModePages.Control.DEFAULT;

  private final UnitTraffic traffic = new UnitTraffic();
  private final OffloadLedger ledger = new OffloadLedger();

  /// Parts of copies that run for a command at some other unit.
  private final CommandSet copies = new CommandSet();

  VolumeUnit(
      Volume volume,
      int companyId,
      UnitReservations reservations,
      UnitAdmission admission,
      SoftThreshold threshold) {
    this.threshold = threshold;
    this.admission = admission;
    this.reservations = reservations;
    this.volume = volume;
    this.readOnly = volume.kind() == VolumeKind.SNAPSHOT;
    this.naa = naa(companyId, volume.id());
  }

  static NetworkAddress naa(int companyId, VolumeId volume) {
    return NetworkAddress.of(companyId, "volume", volume.value());
  }

  Volume volume() {
    return volume;
  }

  boolean isReadOnly() {
    return readOnly;
  }

  /// @param asked whether writes are refused though the volume would take them
  void readOnly(boolean asked) {
    readOnly = asked || volume.kind() == VolumeKind.SNAPSHOT;
  }

  UnitTraffic traffic() {
    return traffic;
  }

  OffloadLedger ledger() {
    return ledger;
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

  UnitReservations reservations() {
    return reservations;
  }

  UnitAdmission admission() {
    return admission;
  }

  /// What MODE SELECT has set.
  ModePages.Control control() {
    return control;
  }

  void control(ModePages.Control next) {
    control = next;
  }

  @Override
  public boolean isThin() {
    return !volume.isReserved();
  }

  /// What its mode pages say now.
  ModePages.Values modes() {
    return new ModePages.Values(control, threshold.of(this));
  }

  /// A logical unit reset.
  ///
  /// @param holder of the SPC-2 reservation that ends with it
  void reset(@Nullable NexusState holder) {
    if (holder != null) {
      reservations.release(holder);
    }
    control = ModePages.Control.DEFAULT;
  }

  @Override
  public boolean sensesInDescriptors() {
    return control.descriptorSense();
  }
}
