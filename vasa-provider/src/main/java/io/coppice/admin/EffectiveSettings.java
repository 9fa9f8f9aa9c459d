package io.coppice.admin;

import io.coppice.api.system.SettingInForce;
import java.util.List;

/// The settings of this process. No secret is among their values.
@FunctionalInterface
public interface EffectiveSettings {

  /// All that have a value, by name.
  List<SettingInForce> all();
}
