package io.coppice.cli.profile;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Surroundings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The profiles of a user: a folder for each in `$XDG_CONFIG_HOME/coppice/profiles`, with the files
/// `url`, `token` and `root.crt`, and the file `current` beside them. Nobody else can read them:
/// folders have the mode 0700, files 0600.
public final class ProfileFolder {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}");
  private static final String CURRENT = "current";

  private final Path folder;

  private ProfileFolder(Path folder) {
    this.folder = folder;
  }

  /// The folder of the user that the surroundings name.
  public static ProfileFolder of(Surroundings surroundings) {
    String config = surroundings.variable("XDG_CONFIG_HOME");
    String home = surroundings.variable("HOME");
    Path base =
        config.isEmpty() ? Path.of(home.isEmpty() ? "/" : home, ".config") : Path.of(config);
    return new ProfileFolder(base.resolve("coppice"));
  }

  /// @throws CommandFailedException if it cannot be the name of a profile
  public static String checkedName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw CommandFailedException.usage(
          "expected the name of a profile, 1 to 64 of A-Z a-z 0-9 _ . - (not . or - first), got '%s'",
          name);
    }
    return name;
  }

  /// Names in their order.
  public List<String> names() {
    Path all = folder.resolve("profiles");
    if (!Files.isDirectory(all)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(all)) {
      return found
          .filter(one -> Files.isRegularFile(one.resolve("url")))
          .map(one -> one.getFileName().toString())
          .sorted(Comparator.naturalOrder())
          .toList();
    } catch (IOException e) {
      throw unusable("read", all, e);
    }
  }

  /// The profile that is used unless another one is asked for.
  public Optional<String> current() {
    Path file = folder.resolve(CURRENT);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
    } catch (IOException e) {
      throw unusable("read", file, e);
    }
  }

  /// @throws CommandFailedException if there is no such profile
  public Provider require(String name) {
    Path own = own(name);
    Path url = own.resolve("url");
    if (!Files.isRegularFile(url)) {
      throw new CommandFailedException(
          ExitStatus.USAGE,
          "expected one of the profiles %s, got '%s'; coppice login makes one"
              .formatted(names(), name));
    }
    try {
      Path root = own.resolve("root.crt");
      return new Provider(
          URI.create(Files.readString(url).strip()),
          new TokenSource.InFile(own.resolve("token")),
          root,
          name);
    } catch (IOException e) {
      throw unusable("read", url, e);
    }
  }

  /// Makes a profile, or makes it anew, and makes it the current one.
  ///
  /// @param root the certificate in PEM
  public void save(String name, URI url, String token, String root) {
    Path own = own(name);
    try {
      makeFolder(folder);
      makeFolder(folder.resolve("profiles"));
      makeFolder(own);
      write(own.resolve("token"), token);
      write(own.resolve("root.crt"), root);
      write(own.resolve("url"), url.toString());
      write(folder.resolve(CURRENT), name);
    } catch (IOException e) {
      throw unusable("write", own, e);
    }
  }

  /// Makes a profile the current one.
  ///
  /// @throws CommandFailedException if there is no such profile
  public void use(String name) {
    require(name);
    try {
      write(folder.resolve(CURRENT), name);
    } catch (IOException e) {
      throw unusable("write", folder, e);
    }
  }

  /// Deletes a profile with its token.
  ///
  /// @throws CommandFailedException if there is no such profile
  public void delete(String name) {
    require(name);
    Path own = own(name);
    try {
      for (String file : List.of("url", "token", "root.crt")) {
        Files.deleteIfExists(own.resolve(file));
      }
      Files.deleteIfExists(own);
      if (current().filter(name::equals).isPresent()) {
        Files.delete(folder.resolve(CURRENT));
      }
    } catch (IOException e) {
      throw unusable("delete", own, e);
    }
  }

  private Path own(String name) {
    return folder.resolve("profiles").resolve(checkedName(name));
  }

  private static void makeFolder(Path folder) throws IOException {
    var owner = PosixFilePermissions.fromString("rwx------");
    Files.createDirectories(folder.toAbsolutePath().getParent());
    if (!Files.isDirectory(folder)) {
      Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(owner));
    }
    Files.setPosixFilePermissions(folder, owner);
  }

  /// The file is there as a whole or not at all, and never readable for others.
  private static void write(Path file, String text) throws IOException {
    Path made =
        Files.createTempFile(
            file.getParent(),
            file.getFileName().toString(),
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(made, text.endsWith("\n") ? text : text + "\n");
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static CommandFailedException unusable(String what, Path path, IOException e) {
    return CommandFailedException.usage("expected to %s %s, but %s", what, path, e);
  }
}
