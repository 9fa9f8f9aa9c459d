package io.coppice.cli.profile;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Surroundings;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The options that choose a provider, each null if it was not given.
///
/// @param profile `--profile`
/// @param url `--url`
/// @param tokenFile `--token-file`
/// @param root `--ca`
/// @param home `--home`
public record ProviderChoice(
    @Nullable String profile,
    @Nullable String url,
    @Nullable String tokenFile,
    @Nullable String root,
    @Nullable String home) {

  private static final URI LOCAL = URI.create("https://127.0.0.1:9443");
  private static final String HOME = ".coppice";

  /// The provider. The base is, in this order: `--profile`, `--home`, `--url` alone,
  /// `COPPICE_PROFILE`, `COPPICE_URL` alone, the current profile, the home `.coppice` in the
  /// working folder, the home that `COPPICE_HOME` names. `--url`, `--token-file` and `--ca`, and
  /// then `COPPICE_URL`, `COPPICE_TOKEN` and `COPPICE_CA`, replace parts of it.
  ///
  /// @throws CommandFailedException if none is chosen, or it has no token
  public Provider resolve(Surroundings surroundings) {
    Optional<Provider> base = base(surroundings);
    String variable = surroundings.variable("COPPICE_URL");
    URI chosen =
        url != null
            ? ProviderAddress.parse(url)
            : variable.isEmpty() || profile != null ? null : ProviderAddress.parse(variable);
    if (chosen == null && base.isEmpty()) {
      throw CommandFailedException.usage(
          "no provider is chosen: run coppice login URL, or give --profile, --url or --home, or run"
              + " this beside the folder .coppice of ./coppice up");
    }
    boolean sameServer =
        chosen == null || base.map(Provider::url).filter(chosen::equals).isPresent();
    return new Provider(
        chosen == null ? base.orElseThrow().url() : chosen,
        token(surroundings, base, sameServer),
        root(surroundings, base),
        sameServer && base.isPresent() ? base.get().name() : String.valueOf(chosen));
  }

  private Optional<Provider> base(Surroundings surroundings) {
    ProfileFolder profiles = ProfileFolder.of(surroundings);
    if (profile != null) {
      return Optional.of(profiles.require(profile));
    }
    if (home != null) {
      return Optional.of(home(surroundings, Path.of(home)));
    }
    String variable = surroundings.variable("COPPICE_PROFILE");
    if (!variable.isEmpty()) {
      return Optional.of(profiles.require(variable));
    }
    Optional<String> current =
        url != null || !surroundings.variable("COPPICE_URL").isEmpty()
            ? Optional.empty()
            : profiles.current();
    if (current.isPresent()) {
      return current.map(profiles::require);
    }
    Path local = Path.of(HOME);
    if (Files.exists(surroundings.folder().resolve(local).resolve("admin.token"))) {
      return Optional.of(home(surroundings, local));
    }
    String installed = surroundings.variable("COPPICE_HOME");
    return installed.isEmpty()
        ? Optional.empty()
        : Optional.of(home(surroundings, Path.of(installed)));
  }

  private static Provider home(Surroundings surroundings, Path home) {
    Path there = surroundings.folder().resolve(home);
    return new Provider(
        LOCAL,
        new TokenSource.InFile(there.resolve("admin.token")),
        there.resolve("tls/root.crt"),
        home.toString());
  }

  /// A token is sent to the server that it was given for, unless it is given with the command.
  private TokenSource token(
      Surroundings surroundings, Optional<Provider> base, boolean sameServer) {
    if (tokenFile != null) {
      return new TokenSource.InFile(surroundings.folder().resolve(tokenFile));
    }
    String variable = surroundings.variable("COPPICE_TOKEN");
    if (!variable.isEmpty() && profile == null) {
      return new TokenSource.Variable("COPPICE_TOKEN", variable);
    }
    if (base.isPresent() && (sameServer || isHome(base.get()) && isTrustedByBase(surroundings))) {
      return base.get().token();
    }
    throw CommandFailedException.usage(
        "expected a token for %s: give --token-file, set COPPICE_TOKEN, or run coppice login",
        String.valueOf(url == null ? surroundings.variable("COPPICE_URL") : url));
  }

  /// A home has no URL of its own: its ports may be others than the default.
  private static boolean isHome(Provider base) {
    return base.url().equals(LOCAL);
  }

  private boolean isTrustedByBase(Surroundings surroundings) {
    return home != null || root == null && surroundings.variable("COPPICE_CA").isEmpty();
  }

  private @Nullable Path root(Surroundings surroundings, Optional<Provider> base) {
    String variable = surroundings.variable("COPPICE_CA");
    if (root != null) {
      return surroundings.folder().resolve(root);
    }
    if (!variable.isEmpty() && profile == null) {
      return surroundings.folder().resolve(variable);
    }
    return base.map(Provider::root).orElse(null);
  }
}
