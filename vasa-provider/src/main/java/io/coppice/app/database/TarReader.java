package io.coppice.app.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of tar streams (POSIX.1-1988 `ustar` and GNU headers): folders, files and links.
///
/// Entries that would leave the destination are refused.
final class TarReader {

  private static final int BLOCK = 512;
  private static final int NAME_BYTES = 100;
  private static final int SIZE_OFFSET = 124;
  private static final int MODE_OFFSET = 100;
  private static final int TYPE_OFFSET = 156;
  private static final int LINK_OFFSET = 157;
  private static final int PREFIX_OFFSET = 345;
  private static final int PREFIX_BYTES = 155;

  private final InputStream in;
  private final Path destination;

  TarReader(InputStream in, Path destination) {
    this.in = in;
    this.destination = destination.toAbsolutePath().normalize();
  }

  /// One entry's header.
  private record Entry(String name, char type, long size, int mode, String link) {}

  /// Unpacks everything up to the end mark.
  void unpack() throws IOException {
    List<Entry> links = new ArrayList<>();
    String longName = "";
    for (byte[] header = block(); !isEnd(header); header = block()) {
      Entry entry = parse(header, longName);
      longName = "";
      switch (entry.type()) {
        case 'L' -> longName = text(content(entry.size()), 0, (int) entry.size());
        case '5' -> createDirectories(resolve(entry.name()));
        case '1', '2' -> links.add(entry);
        case '0', '\0' -> file(entry);
        default ->
            throw new IOException(
                "expected a file, folder or link in the archive, got type '%c' for %s"
                    .formatted(entry.type(), entry.name()));
      }
    }
    for (Entry link : links) {
      link(link);
    }
  }

  /// Makes folders of public programs: every account may read them, whatever the umask is.
  static void createDirectories(@Nullable Path folder) throws IOException {
    if (folder != null && !Files.isDirectory(folder)) {
      createDirectories(folder.getParent());
      Files.createDirectory(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private void file(Entry entry) throws IOException {
    Path path = resolve(entry.name());
    createDirectories(path.getParent());
    try (var out = Files.newOutputStream(path)) {
      long left = entry.size();
      byte[] buffer = new byte[1 << 16];
      while (left > 0) {
        int n = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (n < 0) {
          throw new IOException("the archive ends inside " + entry.name());
        }
        out.write(buffer, 0, n);
        left -= n;
      }
    }
    in.skipNBytes((BLOCK - entry.size() % BLOCK) % BLOCK);
    boolean executable = (entry.mode() & 0111) != 0;
    Files.setPosixFilePermissions(
        path, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }

  private void link(Entry entry) throws IOException {
    Path path = resolve(entry.name());
    createDirectories(path.getParent());
    if (entry.type() == '1') {
      Files.createLink(path, resolve(entry.link()));
    } else {
      resolve(destination.relativize(path.resolveSibling(entry.link()).normalize()).toString());
      Files.createSymbolicLink(path, Path.of(entry.link()));
    }
  }

  private Path resolve(String name) throws IOException {
    Path path = destination.resolve(name).normalize();
    if (!path.startsWith(destination)) {
      throw new IOException("the archive's entry %s leaves its folder".formatted(name));
    }
    return path;
  }

  private byte[] content(long size) throws IOException {
    byte[] bytes = in.readNBytes(Math.toIntExact(size));
    in.skipNBytes((BLOCK - size % BLOCK) % BLOCK);
    return bytes;
  }

  private byte[] block() throws IOException {
    byte[] header = in.readNBytes(BLOCK);
    if (header.length < BLOCK) {
      throw new IOException("the archive ends without its end mark");
    }
    return header;
  }

  private static boolean isEnd(byte[] header) {
    return header[0] == 0;
  }

  private static Entry parse(byte[] header, String longName) {
    // Only POSIX headers ("ustar" NUL) have a prefix; GNU's ("ustar" space) keep other things
    // there.
    String prefix = header[262] == 0 ? text(header, PREFIX_OFFSET, PREFIX_BYTES) : "";
    String shortName = text(header, 0, NAME_BYTES);
    String name = prefix.isEmpty() ? shortName : prefix + "/" + shortName;
    return new Entry(
        longName.isEmpty() ? name : longName,
        (char) header[TYPE_OFFSET],
        octal(header, SIZE_OFFSET, 12),
        (int) octal(header, MODE_OFFSET, 8),
        text(header, LINK_OFFSET, NAME_BYTES));
  }

  private static String text(byte[] bytes, int offset, int length) {
    int end = offset;
    while (end < offset + length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, offset, end - offset, StandardCharsets.UTF_8);
  }

  private static long octal(byte[] bytes, int offset, int length) {
    String digits = text(bytes, offset, length).strip();
    return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
  }
}
