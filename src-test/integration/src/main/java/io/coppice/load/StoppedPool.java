package io.coppice.load;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.setting.ScsiSettings;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The content of a stopped provider's pool, read by the engine alone, without its recycle bin.
final class StoppedPool {

  /// The attribute of what is in the recycle bin.
  private static final String BIN = "coppice.bin";

  private StoppedPool() {}

  static Ledger.Seen of(Path home) {
    try (StorageEngine engine = PoolDirectory.open(home.resolve("pool"), EngineOptions.defaults());
        ScsiTarget target = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      Map<String, String> volumes = new HashMap<>();
      for (VolumeInfo info : engine.list()) {
        if (!ScsiTarget.holdsToken(info) && !info.attributes().containsKey(BIN)) {
          volumes.put(
              "rfc4122." + info.id(), info.attributes().getOrDefault("vasa.VMW_VVolName", ""));
        }
      }
      Map<Ledger.Bound, Integer> bindings = new HashMap<>();
      target
          .luns()
          .bindings()
          .forEach(
              binding ->
                  bindings.put(
                      new Ledger.Bound(binding.host().value(), "rfc4122." + binding.volume()),
                      binding.count()));
      return new Ledger.Seen(volumes, Map.of(), bindings);
    }
  }
}
