package io.coppice.app.setting;

import java.util.List;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.config.ConfigDataException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/// A reader of the settings that reads as a start does, without starting anything.
public final class SettingsReader {

  private SettingsReader() {}

  /// Reads the settings. It also silences the log of this process: commands write their own output.
  ///
  /// @param arguments `--coppice.KEY=VALUE`
  /// @throws StartupException if a setting cannot be used
  public static CoppiceProperties read(List<String> arguments) {
    try {
      return Binder.get(environment(arguments)).bind("coppice", CoppiceProperties.class).get();
    } catch (BindException | IllegalArgumentException e) {
      throw StartupException.of(e);
    }
  }

  /// The sources of all settings, as [#read] finds them.
  ///
  /// @throws StartupException if a name is unknown, or a file cannot be read
  public static ConfigurableEnvironment environment(List<String> arguments) {
    KnownSettings.requireArguments(arguments);
    LoggingSystem.get(SettingsReader.class.getClassLoader()).beforeInitialize();
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new SimpleCommandLinePropertySource(arguments.toArray(String[]::new)));
    try {
      ConfigDataEnvironmentPostProcessor.applyTo(environment);
      KnownSettings.require(environment);
      return environment;
    } catch (ConfigDataException e) {
      throw new StartupException(String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw StartupException.of(e);
    }
  }
}
