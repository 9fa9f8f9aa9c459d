package io.coppice.engine.testing;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Keeps the engine's log silent while a class cuts the power or damages devices by the thousand:
/// the engine rightly says so each time, and nobody could find anything else in the output.
public final class QuietEngine implements BeforeAllCallback, AfterAllCallback {

  /// Held here because the log system forgets the level of a logger that nobody holds.
  private static final Logger ENGINE = Logger.getLogger("io.coppice.engine");

  @Override
  public void beforeAll(ExtensionContext context) {
    ENGINE.setLevel(Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    ENGINE.setLevel(null);
  }
}
