package io.coppice.scsi.setting;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.transport.SecondaryIdForm;
import java.time.InstantSource;
import java.util.Objects;

/// Settings of a [ScsiTarget].
///
/// | Component | Meaning |
/// |---|---|
/// | `identity` | by what names hosts know the targets and their units |
/// | `secondaryIds` | form of the subsidiary element told to hosts |
/// | `medium` | what units say of their medium |
/// | `clock` | dates what people read |
/// | `volumeLimits` | how limits of volumes are kept |
/// | `tokens` | limits of ROD tokens |
/// | `rest` | how long freed numbers of units name nothing |
/// | `secrets` | what CHAP secrets lie in while they stand in the pool |
public record ScsiSettings(
    Identity identity,
    SecondaryIdForm secondaryIds,
    MediumSettings medium,
    ScsiLimits limits,
    InstantSource clock,
    LimitSettings volumeLimits,
    TokenLimits tokens,
    NumberRest rest,
    SecretBox secrets) {

  public ScsiSettings {
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(secondaryIds, "secondaryIds");
    Objects.requireNonNull(medium, "medium");
    Objects.requireNonNull(limits, "limits");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(volumeLimits, "volumeLimits");
    Objects.requireNonNull(tokens, "tokens");
    Objects.requireNonNull(rest, "rest");
    Objects.requireNonNull(secrets, "secrets");
  }

  /// The names of the targets and their units.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `iqnPrefix` | iSCSI names are this, `:pe` and this, `:lun`; empty: made from the pool's UUID |
  /// | `vendor` | T10 VENDOR IDENTIFICATION, 1 to 8 printable ASCII characters |
  /// | `product` | PRODUCT IDENTIFICATION, 1 to 16 printable ASCII characters, one for all units: VMware copies only between units with equal ones |
  /// | `companyId` | 24 bits in NAA designators; the default has the bit of a locally administered identifier set, as we hold no assigned one |
  /// | `portalGroup` | target portal group tag in the port's name, 1 to 65535 |
  public record Identity(
      String iqnPrefix, String vendor, String product, int companyId, int portalGroup) {

    public static final Identity DEFAULT = new Identity("", "COPPICE", "vVol", 0x02c0b1, 1);

    private static final int LONGEST_PREFIX = 200;

    public Identity {
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

    public Identity withIqnPrefix(String prefix) {
      return new Identity(prefix, vendor, product, companyId, portalGroup);
    }

    /// The name of a volume's logical unit.
    public NetworkAddress addressOf(VolumeId volume) {
      return NetworkAddress.of(companyId, "volume", volume.value());
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

  /// Names from the pool, the extended flat form, default limits, the system's clock, no key for
  /// secrets.
  public static ScsiSettings defaults() {
    return new ScsiSettings(
        Identity.DEFAULT,
        SecondaryIdForm.EXTENDED_FLAT,
        MediumSettings.DEFAULT,
        ScsiLimits.defaults(),
        InstantSource.system(),
        LimitSettings.defaults(),
        TokenLimits.DEFAULT,
        NumberRest.defaults(),
        SecretBox.locked("There is no key for CHAP secrets."));
  }

  public ScsiSettings withIdentity(Identity known) {
    return new ScsiSettings(
        known, secondaryIds, medium, limits, clock, volumeLimits, tokens, rest, secrets);
  }

  public ScsiSettings withSecondaryIds(SecondaryIdForm form) {
    return new ScsiSettings(
        identity, form, medium, limits, clock, volumeLimits, tokens, rest, secrets);
  }

  public ScsiSettings withMedium(MediumSettings said) {
    return new ScsiSettings(
        identity, secondaryIds, said, limits, clock, volumeLimits, tokens, rest, secrets);
  }

  public ScsiSettings withLimits(ScsiLimits most) {
    return new ScsiSettings(
        identity, secondaryIds, medium, most, clock, volumeLimits, tokens, rest, secrets);
  }

  /// One time for everything.
  public ScsiSettings withClock(InstantSource time) {
    NumberRest same = new NumberRest(rest.atLeast(), time);
    return new ScsiSettings(
        identity, secondaryIds, medium, limits, time, volumeLimits, tokens, same, secrets);
  }

  public ScsiSettings withVolumeLimits(LimitSettings kept) {
    return new ScsiSettings(
        identity, secondaryIds, medium, limits, clock, kept, tokens, rest, secrets);
  }

  public ScsiSettings withTokens(TokenLimits limitsOfTokens) {
    return new ScsiSettings(
        identity, secondaryIds, medium, limits, clock, volumeLimits, limitsOfTokens, rest, secrets);
  }

  public ScsiSettings withRest(NumberRest ofNumbers) {
    return new ScsiSettings(
        identity, secondaryIds, medium, limits, clock, volumeLimits, tokens, ofNumbers, secrets);
  }

  public ScsiSettings withSecrets(SecretBox box) {
    return new ScsiSettings(
        identity, secondaryIds, medium, limits, clock, volumeLimits, tokens, rest, box);
  }
}
