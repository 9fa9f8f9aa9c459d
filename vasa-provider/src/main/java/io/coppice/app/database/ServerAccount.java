package io.coppice.app.database;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/// The account that runs PostgreSQL's programs, which refuse to run as root.
///
/// If we are not root, they run as we do. If we are root, they run in a user namespace of their
/// own: there they appear as no particular account and still own our files. If namespaces are
/// refused, they run as the account `nobody`, which then owns the database's folder.
sealed interface ServerAccount {

  /// The command words before the program and its arguments.
  List<String> prefix();

  /// Makes `path` and everything below it usable for the programs.
  void own(Path path) throws IOException;

  /// Lets the programs pass through our `folder` to their own files in it.
  default void admit(Path folder) throws IOException {}

  /// Runs programs as the account that runs us.
  record Own() implements ServerAccount {
    @Override
    public List<String> prefix() {
      return List.of();
    }

    @Override
    public void own(Path path) {}
  }

  /// Runs programs in a user namespace, for root.
  record Namespace() implements ServerAccount {
    @Override
    public List<String> prefix() {
      return List.of("unshare", "--user");
    }

    @Override
    public void own(Path path) {}
  }

  /// Runs programs as `nobody`, for root.
  record Nobody(List<String> prefix) implements ServerAccount {

    static final int ID = 65534;

    public Nobody {
      prefix = List.copyOf(prefix);
    }

    @Override
    public void admit(Path folder) throws IOException {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
      permissions.add(PosixFilePermission.OTHERS_EXECUTE);
      Files.setPosixFilePermissions(folder, permissions);
    }

    @Override
    public void own(Path path) throws IOException {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                throws IOException {
              return visitFile(folder, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.setAttribute(file, "unix:uid", ID);
              Files.setAttribute(file, "unix:gid", ID);
              return FileVisitResult.CONTINUE;
            }
          });
    }
  }

  /// The first account that works here.
  ///
  /// @param home folder that holds the programs' folder; only its owner may enter it
  /// @param programs folder that the programs must reach
  /// @throws DatabaseException if there is none
  static ServerAccount choose(Path home, Path programs) {
    return choose(home, programs, isRoot(), Programs::succeeds);
  }

  /// @param works whether a program of the system ends well under an account
  static ServerAccount choose(
      Path home, Path programs, boolean root, BiPredicate<ServerAccount, String[]> works) {
    if (!root) {
      return new Own();
    }
    var namespace = new Namespace();
    if (works.test(namespace, new String[] {"true"})) {
      return namespace;
    }
    String id = String.valueOf(Nobody.ID);
    List<List<String>> drops =
        List.of(
            List.of("setpriv", "--reuid=" + id, "--regid=" + id, "--clear-groups"),
            List.of("runuser", "-u", "nobody", "--"));
    for (List<String> drop : drops) {
      var nobody = new Nobody(drop);
      if (works.test(nobody, new String[] {"true"})) {
        admit(nobody, home);
        if (works.test(nobody, new String[] {"test", "-x", programs.toString()})) {
          return nobody;
        }
      }
    }
    throw new DatabaseException(
        "The embedded PostgreSQL does not run as root, and neither a user namespace (unshare --user)"
            + " nor the account nobody can be used on "
            + programs
            + ": start Coppice as another user, or point coppice.database.url at a PostgreSQL"
            + " server.");
  }

  private static void admit(ServerAccount account, Path home) {
    try {
      account.admit(home);
    } catch (IOException e) {
      throw new DatabaseException(
          "The account nobody cannot be let into the folder %s: %s".formatted(home, e), e);
    }
  }

  private static boolean isRoot() {
    try {
      return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
    } catch (IOException | UnsupportedOperationException e) {
      return "root".equals(System.getProperty("user.name"));
    }
  }
}
