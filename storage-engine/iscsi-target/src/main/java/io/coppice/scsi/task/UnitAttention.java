package io.coppice.scsi.task;

import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.sense.SenseKey;

/// The unit attention conditions, the most important first (SPC-5 §5.14, SAM-5 §5.14).
public enum UnitAttention {
  POWER_ON(AdditionalSense.POWER_ON_OR_RESET_OCCURRED),
  RESET(AdditionalSense.BUS_DEVICE_RESET_FUNCTION_OCCURRED),
  COMMANDS_CLEARED(AdditionalSense.COMMANDS_CLEARED_BY_ANOTHER_INITIATOR),
  REGISTRATIONS_PREEMPTED(AdditionalSense.REGISTRATIONS_PREEMPTED),
  RESERVATIONS_PREEMPTED(AdditionalSense.RESERVATIONS_PREEMPTED),
  RESERVATIONS_RELEASED(AdditionalSense.RESERVATIONS_RELEASED),
  MODE_CHANGED(AdditionalSense.MODE_PARAMETERS_CHANGED),
  ACCESS_STATE_CHANGED(AdditionalSense.ASYMMETRIC_ACCESS_STATE_CHANGED),
  CAPACITY_CHANGED(AdditionalSense.CAPACITY_DATA_HAS_CHANGED),
  INQUIRY_CHANGED(AdditionalSense.INQUIRY_DATA_HAS_CHANGED),
  INVENTORY_CHANGED(AdditionalSense.REPORTED_LUNS_DATA_HAS_CHANGED),

  /// INFORMATION names the threshold by the position of its descriptor in its mode page (SBC-4
  /// §4.7.3.7.6).
  SOFT_THRESHOLD(
      new SenseData(
          SenseKey.UNIT_ATTENTION,
          AdditionalSense.THIN_PROVISIONING_SOFT_THRESHOLD_REACHED,
          new SenseData.Detail.Information(ModePages.THRESHOLD_DESCRIPTOR)));

  private final SenseData sense;

  UnitAttention(AdditionalSense additional) {
    this(SenseData.of(SenseKey.UNIT_ATTENTION, additional));
  }

  UnitAttention(SenseData sense) {
    this.sense = sense;
  }

  public SenseData sense() {
    return sense;
  }

  /// Its bit in a set of conditions.
  int bit() {
    return 1 << ordinal();
  }
}
