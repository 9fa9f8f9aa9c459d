package io.coppice.app.tool.doctor;

import io.coppice.app.setting.CoppiceProperties;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The provider that runs on this machine with some settings, as tools ask it. The administrator's
/// token goes only to the process that has the pool open.
public final class RunningProvider implements AutoCloseable {

  private static final int OK = 200;

  private final DoctorSubject site;

  public RunningProvider(CoppiceProperties settings) {
    site =
        new DoctorSubject(
            settings,
            new DoctorOptions(Optional.empty(), Optional.empty(), false, List.of()),
            InstantSource.system());
  }

  /// Whether a process has the pool open.
  public boolean isRunning() {
    return site.lock().held();
  }

  /// The process that has the pool open, if that can be seen.
  public OptionalLong pid() {
    return site.lock().pid();
  }

  /// The body of an answer of the management port, at most 1 MiB of it.
  ///
  /// @throws IOException if there is none, or it is a refusal
  public String get(String path) throws IOException {
    TlsAnswer answer =
        site.askManagement(path)
            .orElseThrow(() -> new IOException("the provider cannot be asked from here"));
    if (answer.status() != OK) {
      throw new IOException("the provider answered %d".formatted(answer.status()));
    }
    return answer.body();
  }

  @Override
  public void close() {
    site.close();
  }
}
