package io.coppice.app.tool.bundle;

import io.coppice.admin.SupportBundles;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.Redactor;
import io.coppice.app.setting.SupportLimits;
import io.coppice.app.tool.doctor.ManagementPort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.stereotype.Component;

/// The maker of bundles in a running provider, of the same parts as the command.
@Component
final class RunningBundles implements SupportBundles {

  /// Most of each log, whatever the settings say: it is in this process's memory meanwhile.
  private static final long MOST_OF_LOG = 8 << 20;

  private final CoppiceProperties settings;
  private final ConfigurableEnvironment environment;
  private final Home home;
  private final ServletWebServerApplicationContext server;

  RunningBundles(
      CoppiceProperties settings,
      ConfigurableEnvironment environment,
      Home home,
      ServletWebServerApplicationContext server) {
    this.settings = settings;
    this.environment = environment;
    this.home = home;
    this.server = server;
  }

  /// Makes the file in the folder for temporary files, for its owner alone.
  @Override
  public Path make() {
    SupportLimits limits = settings.support();
    long mostOfLog = Math.min(MOST_OF_LOG, limits.logSize().toBytes());
    Path file =
        Path.of(
            System.getProperty("java.io.tmpdir"), "coppice-bundle-%s".formatted(UUID.randomUUID()));
    try {
      Redactor redactor = new Redactor(HomeSecrets.of(settings, home.path(), System.getenv()));
      List<Part> parts = new Gathering(settings, List.of(), view(), mostOfLog).parts();
      BundleFile.write(
          file,
          redactor,
          limits.size().toBytes(),
          bundle -> TimedParts.addTo(bundle, parts, limits.patience()));
    } catch (IOException e) {
      throw new UncheckedIOException("There is no support bundle: " + e.getMessage(), e);
    }
    return file;
  }

  private BundleSubject view() {
    int port = Objects.requireNonNull(server.getWebServer(), "a server that asks").getPort();
    return new InsideView(
        ManagementPort.at(settings.management().address(), port, home.adminToken()), environment);
  }
}
