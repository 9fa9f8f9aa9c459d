package io.coppice.app.tool.bundle;

import io.coppice.app.Application;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.check.finding.ReportText;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadOnlyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The list of what a bundle has: parts that need nothing but files, and those that the running
/// provider is asked for.
final class Gathering {

  /// Where the answers of a running provider come from, by the names of their parts.
  private static final List<List<String>> QUESTIONS =
      List.of(
          List.of("provider/system.json", "/api/v1/system"),
          List.of("provider/version.json", "/api/v1/version"),
          List.of("provider/ready.json", "/readyz"),
          List.of("provider/verdict.json", "/api/v1/system/verdict"),
          List.of("provider/metrics.txt", "/metrics"),
          List.of("provider/history.json", "/api/v1/system/history?window=24h&step=1m"),
          List.of("provider/forecast.json", "/api/v1/system/forecast"),
          List.of("provider/alerts.json", "/api/v1/alerts?limit=1000"),
          List.of("provider/events.json", "/api/v1/events?limit=1000"),
          List.of("provider/audit-head.json", "/api/v1/audit?limit=1"),
          List.of("provider/iscsi.json", "/api/v1/iscsi"),
          List.of("provider/sessions.json", "/api/v1/iscsi/sessions?limit=1000"),
          List.of("provider/scrub.json", "/api/v1/scrub"),
          List.of("provider/containers.json", "/api/v1/containers?limit=1000"),
          List.of("provider/schedules.json", "/api/v1/schedules?limit=1000"),
          List.of("provider/registrations.json", "/api/v1/registrations?limit=1000"),
          List.of("provider/refused-clients.json", "/api/v1/refused-clients?limit=1000"),
          List.of("provider/jobs.json", "/api/v1/jobs?limit=1000"));

  private static final int MOST_FILES = 10_000;

  private final CoppiceProperties settings;
  private final List<Path> logs;
  private final BundleSubject provider;
  private final long mostOfLog;
  private final Path home;

  /// @param logs files that the caller names
  /// @param mostOfLog bytes of each log
  Gathering(CoppiceProperties settings, List<Path> logs, BundleSubject provider, long mostOfLog) {
    this.settings = settings;
    this.logs = logs;
    this.provider = provider;
    this.mostOfLog = mostOfLog;
    this.home = Path.of(settings.home()).toAbsolutePath().normalize();
  }

  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("version.txt", Gathering::versions));
    parts.add(new Part("settings.txt", provider::settings));
    parts.add(new Part("doctor.txt", provider::doctor));
    parts.add(new Part("check.txt", this::check));
    parts.add(new Part("files.txt", this::files));
    for (List<String> question : QUESTIONS) {
      parts.add(new Part(question.getFirst(), () -> provider.ask(question.getLast())));
    }
    parts.add(
        new Part(
            "provider/volume-histories.jsonl",
            () -> new VolumeHistories(provider, settings.support().volumes()).lines()));
    parts.add(new Part("provider/threads.txt", provider::threads));
    parts.add(new Part("log/service.log", () -> LogTail.ofService(mostOfLog)));
    for (String name : List.of("postgres.log", "postgres.log.1")) {
      parts.add(
          new Part("log/" + name, () -> LogTail.of(home.resolve("log").resolve(name), mostOfLog)));
    }
    int number = 1;
    for (Path log : logs) {
      String name = "log/%d-%s".formatted(number++, plain(String.valueOf(log.getFileName())));
      parts.add(new Part(name, () -> LogTail.of(log, mostOfLog)));
    }
    return parts;
  }

  private static String plain(String name) {
    return name.replaceAll("[^\\w.-]", "_");
  }

  private static String versions() {
    Runtime machine = Runtime.getRuntime();
    return """
    coppice %s
    java %s (%s)
    system %s %s %s
    processors %d
    heap of this process %d bytes
    time %s
    """
        .formatted(
            Application.version(),
            Runtime.version(),
            System.getProperty("java.vendor"),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("os.arch"),
            machine.availableProcessors(),
            machine.maxMemory(),
            InstantSource.system().instant());
  }

  /// The fast report of the checker, of a pool that nobody has open; else what the provider knows.
  private String check() throws IOException {
    if (provider.isOpen()) {
      return RunningCheck.lines(provider);
    }
    Path file = settings.poolDirectory().resolve("pool");
    if (!Files.exists(file)) {
      throw new IOException("there is no pool at " + file);
    }
    try (ReadOnlyFile first = ReadOnlyFile.open(file)) {
      Path mirror = settings.poolMirror();
      if (mirror == null) {
        return ReportText.lines(PoolChecker.check(first, true));
      }
      try (ReadOnlyFile second = ReadOnlyFile.open(mirror)) {
        return ReportText.lines(PoolChecker.check(first, second, true));
      }
    } catch (NotCheckable | DeviceException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /// Names, sizes, times and modes; no content.
  private String files() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Path folder : List.of(home, settings.poolDirectory().toAbsolutePath().normalize())) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> all = Files.walk(folder, 2)) {
          for (Path file : all.limit(MOST_FILES).toList()) {
            lines.append(line(file)).append('\n');
          }
        }
      }
    }
    return lines.toString();
  }

  private static String line(Path file) {
    try {
      PosixFileAttributes found =
          Files.readAttributes(
              file, PosixFileAttributes.class, java.nio.file.LinkOption.NOFOLLOW_LINKS);
      return "%s %s %12d %s %s"
          .formatted(
              PosixFilePermissions.toString(found.permissions()),
              found.owner(),
              found.size(),
              found.lastModifiedTime(),
              file);
    } catch (IOException | UnsupportedOperationException e) {
      return "%s cannot be looked at: %s".formatted(file, e);
    }
  }
}
