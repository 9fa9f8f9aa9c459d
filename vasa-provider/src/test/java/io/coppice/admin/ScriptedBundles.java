package io.coppice.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A maker of support bundles that a test can hold up, or have fail.
final class ScriptedBundles implements SupportBundles {

  static final String CONTENT = "the content of a bundle";

  private volatile @Nullable Held held;
  private volatile @Nullable Path last;
  private volatile boolean fails;

  /// A bundle that is being made.
  record Held(CountDownLatch arrived, CountDownLatch released) {}

  /// The next bundle waits until it is released.
  Held holdNext() {
    Held next = new Held(new CountDownLatch(1), new CountDownLatch(1));
    held = next;
    return next;
  }

  /// Whether bundles fail from now on.
  void fail(boolean failing) {
    fails = failing;
  }

  /// The file of the last bundle, if there was one.
  @Nullable Path last() {
    return last;
  }

  @Override
  public Path make() {
    Held now = held;
    held = null;
    try {
      if (now != null) {
        now.arrived.countDown();
        now.released.await();
      }
      if (fails) {
        throw new IOException("no space is left");
      }
      Path file = Files.createTempFile("bundle", ".zip");
      last = file;
      return Files.writeString(file, CONTENT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
