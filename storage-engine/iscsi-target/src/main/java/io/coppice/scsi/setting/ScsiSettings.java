package io.coppice.scsi.setting;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.transport.SecondaryIdForm;
import java.time.InstantSource;

/// Settings of a [ScsiTarget].
///
/// | Component | Meaning |
/// |---|---|
/// | `identity` | by what names hosts know the targets and their units |
/// | `medium` | what units report of their medium |
/// | `directory` | how units are numbered, and how times and secrets are kept |
/// | `limits` | what commands, volumes and ROD tokens may take |
public record ScsiSettings(
    Identity identity, MediumSettings medium, DirectorySettings directory, Limits limits) {

  /// The names of the targets and their units.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `iqnPrefix` | iSCSI names are this, `:pe` and this, `:lun`; empty: made from the pool's UUID |
  /// | `vendor` | T10 VENDOR IDENTIFICATION, 1 to 8 printable ASCII characters |
  /// | `product` | PRODUCT IDENTIFICATION, 1 to 16 printable ASCII characters, one for all units: VMware copies only between units with equal ones |
  /// | `companyId` | 24 bits in NAA designators |
  /// | `portalGroup` | target portal group tag in the port's name, 1 to 65535 |
  public record Identity(
      String iqnPrefix, String vendor, String product, int companyId, int portalGroup) {

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

  /// Settings of the LUN directory.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `secondaryIds` | form of the subsidiary element that hosts get |
  /// | `clock` | dates what people read |
  /// | `rest` | how long freed numbers of units address nothing |
  /// | `secrets` | what CHAP secrets are sealed with while they are in the pool |
  public record DirectorySettings(
      SecondaryIdForm secondaryIds, InstantSource clock, NumberRest rest, SecretBox secrets) {}

  /// Bounds of commands and ROD tokens, and the way in which limits of volumes are kept.
  public record Limits(ScsiLimits commands, LimitSettings volumes, TokenLimits tokens) {}

  /// Names from the pool; physical blocks of 4096 bytes, WRITE SAME of 0 blocks is refused, hosts
  /// hear when 10 % of the pool are left; the extended flat form, the system's clock, no key for
  /// secrets; default limits. The company id has the bit of a locally administered identifier set,
  /// as we hold no assigned one.
  public static ScsiSettings defaults() {
    return new ScsiSettings(
        new Identity("", "COPPICE", "vVol", 0x02c0b1, 1),
        new MediumSettings(4096, false, 10),
        new DirectorySettings(
            SecondaryIdForm.EXTENDED_FLAT,
            InstantSource.system(),
            NumberRest.defaults(),
            SecretBox.locked("There is no key for CHAP secrets.")),
        new Limits(ScsiLimits.defaults(), LimitSettings.defaults(), TokenLimits.defaults()));
  }

  public ScsiSettings withIqnPrefix(String prefix) {
    Identity named =
        new Identity(
            prefix, identity.vendor, identity.product, identity.companyId, identity.portalGroup);
    return new ScsiSettings(named, medium, directory, limits);
  }

  public ScsiSettings withMedium(MediumSettings how) {
    return new ScsiSettings(identity, how, directory, limits);
  }

  public ScsiSettings withSecondaryIds(SecondaryIdForm form) {
    return with(new DirectorySettings(form, directory.clock, directory.rest, directory.secrets));
  }

  /// One time for everything.
  public ScsiSettings withClock(InstantSource time) {
    NumberRest same = new NumberRest(directory.rest.atLeast(), time);
    return with(new DirectorySettings(directory.secondaryIds, time, same, directory.secrets));
  }

  public ScsiSettings withRest(NumberRest rest) {
    return with(
        new DirectorySettings(directory.secondaryIds, directory.clock, rest, directory.secrets));
  }

  public ScsiSettings withSecrets(SecretBox box) {
    return with(
        new DirectorySettings(directory.secondaryIds, directory.clock, directory.rest, box));
  }

  public ScsiSettings withCommandLimits(ScsiLimits most) {
    return with(new Limits(most, limits.volumes, limits.tokens));
  }

  public ScsiSettings withVolumeLimits(LimitSettings how) {
    return with(new Limits(limits.commands, how, limits.tokens));
  }

  public ScsiSettings withTokenLimits(TokenLimits most) {
    return with(new Limits(limits.commands, limits.volumes, most));
  }

  private ScsiSettings with(DirectorySettings how) {
    return new ScsiSettings(identity, medium, how, limits);
  }

  private ScsiSettings with(Limits most) {
    return new ScsiSettings(identity, medium, directory, most);
  }
}
