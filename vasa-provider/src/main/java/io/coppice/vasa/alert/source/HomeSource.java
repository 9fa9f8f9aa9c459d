package io.coppice.vasa.alert.source;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The free space of the file system that the home is in.
public final class HomeSource implements AlertSource {

  private static final long MIB = 1 << 20;

  private final Path home;
  private final long least;
  private final AlertSubject system;

  /// @param least free bytes that are no alert
  public HomeSource(Path home, long least, AlertSubject system) {
    this.home = home;
    this.least = least;
    this.system = system;
  }

  @Override
  public String name() {
    return "home";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    long free;
    try {
      free = Files.getFileStore(home).getUsableSpace();
    } catch (IOException e) {
      throw new UncheckedIOException("the space of the home cannot be asked", e);
    }
    if (free >= least) {
      return List.of();
    }
    return List.of(
        new AlertFinding(
            "home:space",
            AlertSeverity.WARNING,
            system,
            "HomeSpace",
            Map.of("home", home.toString(), "free", "" + free / MIB)));
  }
}
