package io.coppice.api.system;

import java.util.List;

/// All settings, by name.
public record SettingList(List<SettingInForce> items) {

  public SettingList {
    items = List.copyOf(items);
  }
}
