package io.coppice.app.tool.backup;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/// The file of a backup: one line `coppice-backup 1 SHA256`, then a ZIP archive, over which the
/// checksum is taken. The archive holds `manifest.json` ([Manifest]), `tables/NAME.csv`
/// (PostgreSQL's CSV form of COPY, with a head line) and `files/NAME`.
final class Archive {

  private static final String MAGIC = "coppice-backup ";
  private static final String VERSION = "1";
  private static final int DIGEST_DIGITS = 64;
  private static final int HEAD = MAGIC.length() + VERSION.length() + 1 + DIGEST_DIGITS + 1;

  private Archive() {}

  /// A writer of an archive's contents.
  @FunctionalInterface
  interface Content {
    void writeTo(ZipOutputStream zip) throws IOException;
  }

  /// A reader of an archive's entries, in their order.
  @FunctionalInterface
  interface Reader {
    /// @param in the entry's content; not to be closed
    void read(String name, InputStream in) throws IOException;
  }

  /// Writes a whole archive or none; mode 0600, stable on return.
  ///
  /// @param file must not exist
  static void write(Path file, Content content) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.deleteIfExists(partial);
    try (FileChannel channel =
        FileChannel.open(
            partial,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      channel.position(HEAD);
      var digested =
          new DigestOutputStream(
              new BufferedOutputStream(Channels.newOutputStream(channel)), sha256());
      var zip = new ZipOutputStream(digested);
      content.writeTo(zip);
      zip.finish();
      digested.flush();
      String digest = HexFormat.of().formatHex(digested.getMessageDigest().digest());
      String head = MAGIC + VERSION + " " + digest + "\n";
      channel.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)), 0);
      channel.force(true);
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  /// Writes one entry.
  static void entry(ZipOutputStream zip, String name, Content content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    content.writeTo(zip);
    zip.closeEntry();
  }

  /// An archive's stream whose close does nothing.
  static OutputStream unclosable(ZipOutputStream zip) {
    return new FilterOutputStream(zip) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        zip.write(bytes, offset, length);
      }

      @Override
      public void close() throws IOException {
        flush();
      }
    };
  }

  /// Proves an archive whole, then reads it.
  ///
  /// @throws RefusedException if it is no archive, has another version, or is cut off or altered
  static void read(Path file, Reader reader) throws IOException {
    requireWhole(file);
    try (InputStream in = body(file);
        var zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        reader.read(entry.getName(), zip);
      }
    }
  }

  private static void requireWhole(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new BackupRefusedException(
          "Expected a backup that can be read, got %s.".formatted(file));
    }
    String head;
    try (InputStream in = Files.newInputStream(file)) {
      head = new String(in.readNBytes(HEAD), StandardCharsets.US_ASCII);
    }
    if (!head.startsWith(MAGIC)) {
      throw new BackupRefusedException(
          "Expected a backup of Coppice, but %s does not begin like one.".formatted(file));
    }
    String[] words = head.strip().split(" ");
    if (words.length < 3 || !words[1].equals(VERSION)) {
      throw new BackupRefusedException(
          "Expected a backup of format %s, got format %s in %s."
              .formatted(VERSION, words.length > 1 ? words[1] : "none", file));
    }
    String found = digest(file);
    if (!words[2].equals(found)) {
      throw new BackupRefusedException(
          "The backup %s was cut off or altered: expected the SHA-256 %s, got %s."
              .formatted(file, words[2], found));
    }
  }

  private static String digest(Path file) throws IOException {
    MessageDigest digest = sha256();
    try (InputStream in = body(file)) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static InputStream body(Path file) throws IOException {
    InputStream in = new BufferedInputStream(Files.newInputStream(file));
    if (in.readNBytes(HEAD).length < HEAD) {
      in.close();
      throw new BackupRefusedException("The backup %s was cut off.".formatted(file));
    }
    return in;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
