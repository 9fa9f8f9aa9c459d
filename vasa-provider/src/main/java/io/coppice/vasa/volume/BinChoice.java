package io.coppice.vasa.volume;

import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A choice of what is in the recycle bin.
///
/// @param container only what was in it; null for any
/// @param machine only what names this virtual machine, or, if it names none, is a snapshot of a
///   volume that does; null for any
/// @param name only what has this name; null for any
/// @param kind only what is of it; null for any
public record BinChoice(
    @Nullable UUID container,
    @Nullable String machine,
    @Nullable String name,
    @Nullable Kind kind) {

  /// Everything.
  public static final BinChoice ALL = new BinChoice(null, null, null, null);

  /// The kind of something in the bin.
  public enum Kind {
    /// A volume that an administrator made.
    VOLUME("volume"),
    /// A volume of a virtual machine.
    VVOL("vvol"),
    SNAPSHOT("snapshot"),
    /// What a volume had before a revert.
    SAFETY_COPY("safety-copy");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /// As REST has it.
    public String text() {
      return text;
    }

    /// @return null if there is no such kind
    public static @Nullable Kind parse(String text) {
      return Stream.of(values()).filter(kind -> kind.text.equals(text)).findFirst().orElse(null);
    }

    public static Kind of(BinnedVolume one) {
      if (one.binning().isSafetyCopy()) {
        return SAFETY_COPY;
      }
      if (one.volume().snapshot()) {
        return SNAPSHOT;
      }
      return one.volume().origin() == VolumeOrigin.ADMIN ? VOLUME : VVOL;
    }
  }
}
