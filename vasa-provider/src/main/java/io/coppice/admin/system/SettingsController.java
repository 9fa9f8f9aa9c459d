package io.coppice.admin.system;

import io.coppice.admin.EffectiveSettings;
import io.coppice.admin.access.RequiredRole;
import io.coppice.api.Role;
import io.coppice.api.system.SettingList;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The settings that are in force, and where they come from. Needs no database.
@RestController
final class SettingsController {

  private final EffectiveSettings settings;

  SettingsController(EffectiveSettings settings) {
    this.settings = settings;
  }

  @GetMapping("/settings")
  @RequiredRole(Role.STORAGE_ADMIN)
  SettingList settings() {
    return new SettingList(settings.all());
  }
}
