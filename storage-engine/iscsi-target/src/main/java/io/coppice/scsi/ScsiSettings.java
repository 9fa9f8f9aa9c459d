package io.coppice.scsi;

import io.coppice.engine.qos.QosSettings;
import java.time.InstantSource;
import java.util.Objects;

/// Settings of a [ScsiTarget].
///
/// | Component | Meaning |
/// |---|---|
/// | `iqnPrefix` | iSCSI names are this, `:pe` and this, `:lun`; empty: made from the pool's UUID |
/// | `secondaryIds` | form of the subsidiary element told to hosts |
/// | `vendor` | T10 VENDOR IDENTIFICATION, 1 to 8 printable ASCII characters |
/// | `product` | PRODUCT IDENTIFICATION, 1 to 16 printable ASCII characters, one for all units: VMware copies only between units with equal ones |
/// | `companyId` | 24 bits in NAA designators; the default has the bit of a locally administered identifier set, as we hold no assigned one |
/// | `portalGroup` | target portal group tag in the port's name, 1 to 65535 |
/// | `clock` | dates freed numbers |
/// | `qos` | how limits of volumes are kept |
/// | `medium` | what units say of their medium |
public record ScsiSettings(
    String iqnPrefix,
    SecondaryIdForm secondaryIds,
    String vendor,
    String product,
    int companyId,
    int portalGroup,
    ScsiLimits limits,
    InstantSource clock,
    QosSettings qos,
    MediumSettings medium) {

  private static final int LOCALLY_ADMINISTERED = 0x02c0b1;
  private static final int LONGEST_PREFIX = 200;

  public ScsiSettings {
    Objects.requireNonNull(secondaryIds, "secondaryIds");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(qos, "qos");
    Objects.requireNonNull(medium, "medium");
    if (!iqnPrefix.isEmpty() && !isName(iqnPrefix)) {
      throw new IllegalArgumentException(
          "expected an IQN prefix such as iqn.2026-11.com.example:array, got: " + iqnPrefix);
    }
    checkText("vendor", vendor, 8);
    checkText("product", product, 16);
    if (companyId >>> 24 != 0) {
      throw new IllegalArgumentException(
          "expected a company id of 24 bits, got 0x%x".formatted(companyId));
    }
    if (portalGroup < 1 || portalGroup > 0xffff) {
      throw new IllegalArgumentException(
          "expected a portal group from 1 to 65535, got " + portalGroup);
    }
  }

  /// Names from the pool, the extended flat form, default limits, the system's clock.
  public static ScsiSettings defaults() {
    return new ScsiSettings(
        "",
        SecondaryIdForm.EXTENDED_FLAT,
        "COPPICE",
        "vVol",
        LOCALLY_ADMINISTERED,
        1,
        ScsiLimits.defaults(),
        InstantSource.system(),
        QosSettings.defaults(),
        MediumSettings.DEFAULT);
  }

  public ScsiSettings withIqnPrefix(String prefix) {
    return new ScsiSettings(
        prefix, secondaryIds, vendor, product, companyId, portalGroup, limits, clock, qos, medium);
  }

  public ScsiSettings withSecondaryIds(SecondaryIdForm form) {
    return new ScsiSettings(
        iqnPrefix, form, vendor, product, companyId, portalGroup, limits, clock, qos, medium);
  }

  public ScsiSettings withLimits(ScsiLimits newLimits) {
    return new ScsiSettings(
        iqnPrefix,
        secondaryIds,
        vendor,
        product,
        companyId,
        portalGroup,
        newLimits,
        clock,
        qos,
        medium);
  }

  public ScsiSettings withClock(InstantSource newClock) {
    return new ScsiSettings(
        iqnPrefix,
        secondaryIds,
        vendor,
        product,
        companyId,
        portalGroup,
        limits,
        newClock,
        qos,
        medium);
  }

  public ScsiSettings withQos(QosSettings settings) {
    return new ScsiSettings(
        iqnPrefix,
        secondaryIds,
        vendor,
        product,
        companyId,
        portalGroup,
        limits,
        clock,
        settings,
        medium);
  }

  public ScsiSettings withMedium(MediumSettings said) {
    return new ScsiSettings(
        iqnPrefix, secondaryIds, vendor, product, companyId, portalGroup, limits, clock, qos, said);
  }

  private static boolean isName(String text) {
    return text.length() <= LONGEST_PREFIX
        && text.startsWith("iqn.")
        && text.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || isMark(c));
  }

  private static boolean isMark(int c) {
    return c == '.' || c == '-' || c == ':';
  }

  private static void checkText(String name, String text, int longest) {
    if (text.isEmpty()
        || text.length() > longest
        || text.chars().anyMatch(c -> c < 0x20 || c > 0x7e)) {
      throw new IllegalArgumentException(
          "expected a %s of 1 to %d printable ASCII characters, got: %s"
              .formatted(name, longest, text));
    }
  }
}
