package io.coppice.engine.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// Permissions of everything that holds data or secrets: only the owner reads and writes it,
/// whatever the umask is.
public final class OwnerOnly {

  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);
  private static final Set<PosixFilePermission> READ_OR_WRITE =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private OwnerOnly() {}

  /// Makes a folder and those above it that are not there, with mode 0700. Folders that are there
  /// stay as they are.
  ///
  /// @return the folder
  public static Path createDirectories(Path folder) throws IOException {
    return Files.createDirectories(folder, attribute("rwx------"));
  }

  /// Makes an empty file with mode 0600. One that is there stays as it is.
  ///
  /// @return the file
  public static Path createFile(Path file) throws IOException {
    try {
      return Files.createFile(file, attribute("rw-------"));
    } catch (FileAlreadyExistsException _) {
      return file;
    }
  }

  /// Takes the permissions of group and others from a regular file or a folder, for one that was
  /// made when others could read it. A device or a link is left as it is, and so is what belongs to
  /// another account: whoever gave it to us has decided who reads it.
  public static void tighten(Path path) {
    try {
      Set<PosixFilePermission> now = permissions(path);
      if (isOfOurKind(path) && now.retainAll(OWNER)) {
        Files.setPosixFilePermissions(path, now);
      }
    } catch (IOException | UnsupportedOperationException _) {
      // not ours, or gone: the doctor says what is open
    }
  }

  /// Whether group or others may read or write a regular file or a folder. To pass through a folder
  /// to something whose name is known is neither.
  ///
  /// @return false for devices and links
  /// @throws UnsupportedOperationException on a file system without such permissions
  public static boolean isOpenToOthers(Path path) throws IOException {
    return isOfOurKind(path) && !Collections.disjoint(permissions(path), READ_OR_WRITE);
  }

  private static boolean isOfOurKind(Path path) {
    return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static Set<PosixFilePermission> permissions(Path path) throws IOException {
    return Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static FileAttribute<Set<PosixFilePermission>> attribute(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }
}
