/// The settings: [io.coppice.app.setting.CoppiceProperties] holds them all,
/// [io.coppice.app.setting.KnownSettings] refuses unknown ones,
/// [io.coppice.app.setting.SettingsReader] reads them for commands. A setting that cannot be used
/// ends the start with a [io.coppice.app.setting.StartupException]. Depends on no other package of
/// `app`.
@NullMarked
package io.coppice.app.setting;

import org.jspecify.annotations.NullMarked;
