package io.coppice.app.tool.bundle;

import io.coppice.app.setting.Redactor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// The file of a bundle: a ZIP archive of text, which only its owner may read. All text passes the
/// [Redactor]. It is written beside its place and moved there when it is whole and stable, so that
/// a full disk or a crash leaves no bundle that looks whole.
final class BundleFile {

  private final ZipOutputStream zip;
  private final Redactor redactor;
  private final long most;
  private final List<String> index = new ArrayList<>();
  private long written;

  private BundleFile(ZipOutputStream zip, Redactor redactor, long most) {
    this.zip = zip;
    this.redactor = redactor;
    this.most = most;
  }

  /// A writer of parts into a bundle.
  @FunctionalInterface
  interface Content {
    void addTo(BundleFile bundle) throws IOException;
  }

  /// Writes a whole bundle or none.
  ///
  /// @param most bytes of text in it; what is beyond is left out, and the index says so
  /// @throws FileAlreadyExistsException if the file exists
  static void write(Path file, Redactor redactor, long most, Content content) throws IOException {
    if (Files.exists(file)) {
      throw new FileAlreadyExistsException(file.toString());
    }
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.deleteIfExists(partial);
    try (FileChannel channel =
        FileChannel.open(
            partial,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      var zip = new ZipOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)));
      BundleFile bundle = new BundleFile(zip, redactor, most);
      content.addTo(bundle);
      bundle.put("index.txt", String.join("\n", bundle.index) + "\n");
      zip.finish();
      zip.flush();
      channel.force(true);
      Files.move(partial, file); // fails if somebody else has made the file meanwhile
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  /// Adds a part, as far as there is room.
  void add(String name, String text) throws IOException {
    String clean = redactor.of(text);
    long length = clean.getBytes(StandardCharsets.UTF_8).length;
    if (written + length > most) {
      leaveOut(name, "it has %d bytes, and the bundle would be too large".formatted(length));
      return;
    }
    written += length;
    put(name, clean);
    index.add("%s  %d bytes".formatted(name, length));
  }

  /// Notes in the index what is missing.
  void leaveOut(String name, String why) {
    index.add(redactor.of("%s  left out: %s".formatted(name, why)));
  }

  private void put(String name, String clean) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(clean.getBytes(StandardCharsets.UTF_8));
    zip.closeEntry();
  }
}
