package io.coppice.cli.command;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.profile.ProfileFolder;
import io.coppice.cli.profile.Provider;
import io.coppice.cli.rest.Certificates;
import io.coppice.cli.rest.PagedList;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.List;
import java.util.Optional;

/// `profile` and `logout`: the providers that a user has logged in to.
public final class ProfileCommands {

  /// A profile as it is shown: without its token.
  ///
  /// @param root SHA-256 fingerprint of the pinned certificate
  record Shown(String name, boolean current, String url, String root) {}

  private static final View<Shown> VIEW =
      View.of(
          Shown.class,
          Shown::name,
          Column.of("NAME", Shown::name),
          Column.of("CURRENT", Shown::current),
          Column.of("URL", Shown::url),
          Column.<Shown>of("ROOT (SHA-256)", Shown::root).onlyWide());

  private static final Argument NAME = Argument.text("NAME", "of the profile");

  private ProfileCommands() {}

  public static Noun noun() {
    return Noun.of(
        "profile",
        "the providers that you have logged in to",
        new Verb("list", "lists profiles", List.of(), List.of(), List.of(), ProfileCommands::list),
        new Verb(
            "use", "makes one current", List.of(NAME), List.of(), List.of(), ProfileCommands::use),
        new Verb(
            "delete", "deletes one", List.of(NAME), List.of(), List.of(), ProfileCommands::delete));
  }

  /// `logout`: deletes the current profile, or the one of `--profile`.
  public static Verb logout() {
    return new Verb(
        "logout",
        "deletes the current profile, or that of --profile, with its token",
        List.of(),
        List.of(),
        List.of(),
        (_, session) -> {
          ProfileFolder profiles = ProfileFolder.of(session.surroundings());
          String name = session.common().choice().profile();
          String chosen = name == null ? profiles.current().orElse(null) : name;
          if (chosen == null) {
            throw CommandFailedException.usage("expected a profile, but none is current");
          }
          profiles.delete(chosen);
          session.printDone("profile %s is deleted".formatted(chosen));
        });
  }

  private static void list(Inputs inputs, ClientSession session) {
    ProfileFolder profiles = ProfileFolder.of(session.surroundings());
    Optional<String> current = profiles.current();
    List<Shown> shown =
        profiles.names().stream()
            .map(profiles::require)
            .map(one -> shown(one, current.filter(one.name()::equals).isPresent()))
            .toList();
    session.print(VIEW, new PagedList(shown.stream().map(Notation::tree).toList(), null));
  }

  private static Shown shown(Provider profile, boolean current) {
    String root =
        profile.root() == null ? "" : Certificates.fingerprint(Certificates.read(profile.root()));
    return new Shown(profile.name(), current, profile.url().toString(), root);
  }

  private static void use(Inputs inputs, ClientSession session) {
    ProfileFolder.of(session.surroundings()).use(inputs.need("NAME"));
    session.printDone("profile %s is current".formatted(inputs.need("NAME")));
  }

  private static void delete(Inputs inputs, ClientSession session) {
    ProfileFolder.of(session.surroundings()).delete(inputs.need("NAME"));
    session.printDone("profile %s is deleted".formatted(inputs.need("NAME")));
  }
}
