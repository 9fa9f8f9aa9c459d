package io.coppice.vasa.watch;

import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The words of suspicions, for events, alerts and REST.
public final class WatchText {

  private static final double MIB = 1 << 20;

  private WatchText() {}

  /// The values for the sentences about a suspicion.
  public static Map<String, String> parameters(Suspicion suspicion) {
    PointBefore last = suspicion.lastBefore();
    Map<String, String> parameters = new HashMap<>();
    parameters.put("what", named(suspicion.volume()));
    parameters.put("since", suspicion.suspect().since().truncatedTo(ChronoUnit.SECONDS).toString());
    parameters.put("figures", figures(suspicion.suspect().reading()));
    parameters.put("last", last == null ? "none" : last.text());
    return parameters;
  }

  private static String named(VirtualVolume volume) {
    String name = volume.metadata().getOrDefault(VolumeChoice.NAME_KEY, volume.id().toString());
    String machine = volume.metadata().get(SnapshotGrid.MACHINE_KEY);
    return machine == null ? name : "%s of virtual machine %s".formatted(name, machine);
  }

  /// The figures of a reading, such as `7.6 bits for each byte instead of 4.2, and 12.0 MiB/s
  /// replaced instead of 0.3`.
  public static String figures(WatchReading reading) {
    return String.format(
        Locale.ROOT,
        "%s bits for each byte instead of %s, and %.1f MiB/s replaced instead of %.1f",
        bits(reading.entropy()),
        bits(reading.usualEntropy()),
        reading.rate() / MIB,
        reading.usualRate() / MIB);
  }

  private static String bits(@Nullable Double entropy) {
    return entropy == null ? "?" : String.format(Locale.ROOT, "%.1f", entropy);
  }
}
