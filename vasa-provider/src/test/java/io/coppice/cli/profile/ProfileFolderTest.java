package io.coppice.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Profiles, and how a provider is chosen from them, variables, options and a home.
class ProfileFolderTest {

  private static final URI ONE = URI.create("https://one:9443");
  private static final URI TWO = URI.create("https://two:9443");
  private static final ProviderChoice NOTHING = new ProviderChoice(null, null, null, null, null);

  @TempDir private Path folder;

  @Test
  void nobodyElseCanReadAProfile() throws IOException {
    profiles().save("one", ONE, "secret", "root");

    Path own = folder.resolve("config/coppice/profiles/one");
    assertThat(modes(own)).isEqualTo("rwx------");
    assertThat(modes(own.getParent())).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(own)) {
      assertThat(files)
          .hasSize(3)
          .allSatisfy(file -> assertThat(modes(file)).isEqualTo("rw-------"));
    }
  }

  @Test
  void theProfileOfTheLastLoginIsCurrentUntilAnotherIsUsed() {
    profiles().save("one", ONE, "1", "root");
    profiles().save("two", TWO, "2", "root");

    assertThat(resolved(NOTHING, Map.of()).url()).isEqualTo(TWO);
    profiles().use("one");
    assertThat(resolved(NOTHING, Map.of()).token().token()).isEqualTo("1");
    profiles().delete("one");
    assertThat(profiles().names()).containsExactly("two");
    assertThat(profiles().current()).isEmpty();
  }

  @Test
  void anOptionComesBeforeAVariableAndAVariableBeforeTheCurrentProfile() {
    profiles().save("one", ONE, "1", "root");
    profiles().save("two", TWO, "2", "root");
    Map<String, String> variable = Map.of("COPPICE_PROFILE", "one");

    assertThat(resolved(NOTHING, variable).url()).isEqualTo(ONE);
    assertThat(resolved(new ProviderChoice("two", null, null, null, null), variable).url())
        .isEqualTo(TWO);
    assertThat(
            resolved(
                    new ProviderChoice("two", null, null, null, null),
                    Map.of("COPPICE_TOKEN", "other", "COPPICE_CA", "/other"))
                .token()
                .token())
        .isEqualTo("2");
  }

  @Test
  void aHomeInTheWorkingFolderNeedsNoLogin() throws IOException {
    home();

    Provider found = resolved(NOTHING, Map.of());

    assertThat(found.url()).hasToString("https://127.0.0.1:9443");
    assertThat(found.token().token()).isEqualTo("of-home");
    assertThat(found.root()).isEqualTo(folder.resolve(".coppice/tls/root.crt"));
    assertThat(found.token().inShell()).isEqualTo("$(cat " + folder + "/.coppice/admin.token)");
  }

  @Test
  void aTokenIsNotSentToAnotherServerThanItsOwn() throws IOException {
    home();
    profiles().save("one", ONE, "1", "root");

    assertThat(
            resolved(new ProviderChoice(null, "https://127.0.0.1:9999", null, null, null), Map.of())
                .token()
                .token())
        .as("a home has no port of its own, and its root is pinned")
        .isEqualTo("of-home");
    for (ProviderChoice choice :
        new ProviderChoice[] {
          new ProviderChoice(null, "https://evil", null, "/its/root", null),
          new ProviderChoice("one", "https://evil", null, null, null)
        }) {
      assertThatThrownBy(() -> resolved(choice, Map.of()))
          .isInstanceOf(CommandFailedException.class)
          .hasMessageContaining("expected a token for https://evil");
    }
  }

  @Test
  void withoutAnythingTheWaysAreNamed() {
    assertThatThrownBy(() -> resolved(NOTHING, Map.of()))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("coppice login URL");
  }

  @Test
  void aNameThatIsNoFileOfTheFolderIsRefused() {
    for (String name : new String[] {"", ".", "..", "-x", "a/b", "a\u001b", "a".repeat(65)}) {
      assertThatThrownBy(() -> profiles().save(name, ONE, "1", "root"))
          .isInstanceOf(CommandFailedException.class)
          .hasMessageContaining("expected the name of a profile");
    }
    assertThatThrownBy(() -> profiles().require("missing"))
        .hasMessageContaining("expected one of the profiles [], got 'missing'");
  }

  @Test
  void anAddressIsAHostWithOrWithoutItsPort() {
    assertThat(ProviderAddress.parse("array-1")).hasToString("https://array-1:9443");
    assertThat(ProviderAddress.parse("https://array-1/")).hasToString("https://array-1:9443");
    assertThat(ProviderAddress.parse("[::1]:1")).hasToString("https://[::1]:1");
    for (String wrong : new String[] {"http://a", "https://a/b", "https://u@a", "a b", "--x", ""}) {
      assertThatThrownBy(() -> ProviderAddress.parse(wrong))
          .isInstanceOf(CommandFailedException.class)
          .hasMessageContaining("expected a URL like https://HOST:9443");
    }
  }

  private void home() throws IOException {
    Files.createDirectories(folder.resolve(".coppice/tls"));
    Files.writeString(folder.resolve(".coppice/admin.token"), "of-home\n");
  }

  private Provider resolved(ProviderChoice choice, Map<String, String> variables) {
    return choice.resolve(surroundings(variables));
  }

  private ProfileFolder profiles() {
    return ProfileFolder.of(surroundings(Map.of()));
  }

  private Surroundings surroundings(Map<String, String> variables) {
    Map<String, String> all = new java.util.HashMap<>(variables);
    all.put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    return new Surroundings(
        all, folder, new ByteArrayInputStream(new byte[0]), System.out, System.err, false);
  }

  private static String modes(Path path) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
