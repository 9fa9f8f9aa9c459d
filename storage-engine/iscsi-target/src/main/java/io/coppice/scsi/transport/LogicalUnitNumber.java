package io.coppice.scsi.transport;

/// The 8-byte LUN of a command, as it came (SAM-5 §4.7, Logical unit number), first byte first.
public record LogicalUnitNumber(long value) {

  /// The number that addresses LUN 0 in every form.
  public static final LogicalUnitNumber ZERO = new LogicalUnitNumber(0);

  /// Whether both address the same logical unit, each in its own form.
  public boolean addressesSameAs(LogicalUnitNumber other) {
    UnitAddress address = UnitAddress.of(this);
    return value == other.value
        || !(address instanceof UnitAddress.Unknown) && address.equals(UnitAddress.of(other));
  }

  @Override
  public String toString() {
    return "%016x".formatted(value);
  }
}
