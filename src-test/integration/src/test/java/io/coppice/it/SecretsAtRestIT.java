package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.driver.iscsi.Chap;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginRefusedException;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.engine.files.OwnerOnly;
import io.coppice.harness.ProviderProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A home, as whoever else has an account on the machine finds it, and a pool that somebody took
/// away alone: neither tells a secret.
class SecretsAtRestIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String INITIATOR = "iqn.2026-11.test:secretive";
  private static final String SECRET = "correct horse battery";

  @TempDir private Path folder;

  @Test
  void nobodyElseReadsTheHomeAndThePoolAloneHoldsNoSecret() throws Exception {
    try (RunningProvider provider =
        RunningProvider.start(folder, "--coppice.pool.capacity=256MB")) {
      ProviderProcess process = provider.process();
      Path home = process.home();
      provider
          .rest()
          .put("initiators/" + INITIATOR + "/chap", "{\"secret\": \"%s\"}".formatted(SECRET));
      assertThat(openToOthers(home)).isEmpty();
      process.stop();
      assertThat(poolHolds(home, SECRET)).as("the secret in the pool's file").isFalse();
      assertThat(poolHolds(home, INITIATOR)).as("what is looked for can be found").isTrue();

      for (String name : List.of("", "pool", "tls", "log")) {
        mode(home.resolve(name), "rwxr-xr-x");
      }
      for (String name : List.of("pool/pool", "pool/lock", "tls/root.crt")) {
        mode(home.resolve(name), "rw-r--r--");
      }
      Path key = home.resolve("chap.key");
      Path aside = Files.move(key, folder.resolve("chap.key"));
      process.start();
      process.awaitPortal(PATIENCE);
      assertThat(openToOthers(home)).as("what was left open, after a start").isEmpty();
      assertThatExceptionOfType(LoginRefusedException.class)
          .as("a login whose secret cannot be read")
          .isThrownBy(() -> login(process, LoginSettings.of(INITIATOR, 1)));
      login(process, LoginSettings.of(INITIATOR + "2", 1));
      assertThat(key).as("a key that is needed is not made anew").doesNotExist();
      assertThat(Files.readString(process.log()))
          .contains("There is no key of the CHAP secrets", "until it is put back from a backup")
          .doesNotContain(SECRET);

      process.stop();
      Files.move(aside, key);
      process.start();
      process.awaitPortal(PATIENCE);
      login(process, LoginSettings.of(INITIATOR, 1).withChap(Chap.md5("anybody", SECRET)));
    }
  }

  private static void login(ProviderProcess process, LoginSettings settings) {
    assertThat(Discovery.sendTargets(process.portal(), settings)).isEmpty();
  }

  private static void mode(Path file, String permissions) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  /// But the programs of the database, which everybody has; whoever cannot enter the home does not
  /// reach them. The console's log is made by the test.
  private static List<Path> openToOthers(Path home) throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      return all.filter(path -> !path.startsWith(home.resolve("postgres")))
          .filter(path -> !path.endsWith("console.log"))
          .filter(SecretsAtRestIT::isOpenToOthers)
          .toList();
    } catch (UncheckedIOException e) { // a file of the running database that has gone meanwhile
      return openToOthers(home);
    }
  }

  private static boolean isOpenToOthers(Path path) {
    try {
      return OwnerOnly.isOpenToOthers(path);
    } catch (IOException e) {
      return false; // likewise
    }
  }

  /// The pool is as small as pools may be, so its file is looked at whole.
  private static boolean poolHolds(Path home, String text) throws IOException {
    String bytes = Files.readString(home.resolve("pool/pool"), StandardCharsets.ISO_8859_1);
    return bytes.contains(text);
  }
}
