package io.coppice.vasa.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// The records that wait on disk while the database is away, in their order, in one folder. One
/// thread writes; tools beside the provider leave files of their own there.
///
/// The file `spool` holds a record behind the other: its length and its CRC-32C, 4 bytes each, then
/// its bytes as [AuditEncoding] writes them. A record is stable when [#append] returns. A record
/// that a crash cut short is the last one; it was never acknowledged, and the rest of the file is
/// ignored. The file is emptied when all of it is in the database. If the process ends before that,
/// the records come again, and the chain knows them by their ids.
public final class AuditSpool {

  private static final String FILE = "spool";
  private static final String OF_TOOLS = ".record";
  private static final int HEADER_BYTES = 8;
  private static final int LONGEST_RECORD = 1 << 20;

  private final Path folder;
  private final long mostBytes;
  private long bytes;

  /// Opens the spool; makes its folder if there is none.
  ///
  /// @param mostBytes limit of the file
  /// @throws IOException if the folder cannot be made or read
  public AuditSpool(Path folder, long mostBytes) throws IOException {
    this.folder = made(folder);
    this.mostBytes = mostBytes;
    this.bytes = whole();
    if (Files.exists(file()) && Files.size(file()) > bytes) {
      truncate(bytes); // what a crash cut short
    }
  }

  private Path file() {
    return folder.resolve(FILE);
  }

  synchronized boolean isEmpty() {
    return bytes == 0;
  }

  /// Bytes that wait.
  synchronized long size() {
    return bytes;
  }

  /// Adds records, stable on return.
  ///
  /// @throws IOException if there is no room, by the limit or on the disk; then none is added
  synchronized void append(List<AuditRecord> records) throws IOException {
    ByteBuffer all = framed(records);
    int length = all.remaining();
    if (bytes + length > mostBytes) {
      throw new IOException(
          "expected room for %d bytes in %s, got %d".formatted(length, file(), mostBytes - bytes));
    }
    boolean fresh = !Files.exists(file());
    try (FileChannel channel = opened(file())) {
      long at = bytes;
      while (all.hasRemaining()) {
        at += channel.write(all, at);
      }
      channel.force(true);
      if (fresh) {
        forceNames(folder);
      }
      bytes += length;
    } catch (IOException e) {
      if (Files.isRegularFile(file())) {
        truncate(bytes);
      }
      throw e;
    }
  }

  private void truncate(long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.truncate(length);
      channel.force(true);
    }
  }

  private static ByteBuffer framed(List<AuditRecord> records) {
    List<byte[]> encoded = records.stream().map(AuditEncoding::encode).toList();
    ByteBuffer all =
        ByteBuffer.allocate(encoded.stream().mapToInt(one -> one.length + HEADER_BYTES).sum());
    for (byte[] one : encoded) {
      all.putInt(one.length).putInt(checksum(one)).put(one);
    }
    return all.flip();
  }

  private static int checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /// All records that wait, in their order.
  ///
  /// @throws IOException if the file cannot be read
  synchronized List<AuditRecord> all() throws IOException {
    List<AuditRecord> records = new ArrayList<>();
    read(records);
    return records;
  }

  /// Forgets everything, after it is in the database.
  ///
  /// @throws IOException if the file cannot be emptied; what it holds comes again then
  synchronized void clear() throws IOException {
    if (bytes > 0) {
      truncate(0);
      bytes = 0;
    }
  }

  private long whole() throws IOException {
    return read(new ArrayList<>());
  }

  /// @return length of the part that can be read
  private long read(List<AuditRecord> into) throws IOException {
    if (!Files.exists(file())) {
      return 0;
    }
    ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file()));
    long good = 0;
    while (in.remaining() >= HEADER_BYTES) {
      int length = in.getInt();
      int sum = in.getInt();
      if (length < 0 || length > LONGEST_RECORD || length > in.remaining()) {
        break;
      }
      byte[] one = new byte[length];
      in.get(one);
      if (checksum(one) != sum || !decoded(one, into)) {
        break;
      }
      good = in.position();
    }
    return good;
  }

  private static boolean decoded(byte[] bytes, List<AuditRecord> into) {
    try {
      return into.add(AuditEncoding.decode(bytes));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// Leaves a record of a tool, stable on return. The running or the next provider takes it: the
  /// file belongs to the owner of the folder, whoever runs the tool.
  ///
  /// @throws IOException if it cannot be written
  public static void leave(Path folder, AuditRecord recorded) throws IOException {
    made(folder);
    Path half = folder.resolve(UUID.randomUUID() + ".half");
    try (FileChannel channel = opened(half)) {
      ByteBuffer all = framed(List.of(recorded));
      while (all.hasRemaining()) {
        channel.write(all);
      }
      channel.force(true);
    }
    UserPrincipal owner = Files.getOwner(folder);
    if (!owner.equals(Files.getOwner(half))) {
      Files.setOwner(half, owner);
    }
    Files.move(half, folder.resolve(recorded.id() + OF_TOOLS), StandardCopyOption.ATOMIC_MOVE);
    forceNames(folder);
  }

  /// The folder, made if it is not there; then it belongs to whom the home belongs.
  private static Path made(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return folder;
    }
    Files.createDirectories(folder, mode("rwx------"));
    Path home = folder.toAbsolutePath().getParent();
    if (home != null && !Files.getOwner(home).equals(Files.getOwner(folder))) {
      Files.setOwner(folder, Files.getOwner(home));
    }
    return folder;
  }

  /// A file to write, made for its owner alone if it is not there.
  private static FileChannel opened(Path file) throws IOException {
    return FileChannel.open(
        file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), mode("rw-------"));
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  /// A file's name belongs to its folder, which is stable only after this.
  private static void forceNames(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }

  /// A record that a tool left.
  record Left(Path file, AuditRecord recorded) {}

  /// Records that tools left, at most a hundred; files that cannot be read stay where they are.
  List<Left> left() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Left> left = new ArrayList<>();
      for (Path file :
          files.filter(one -> one.toString().endsWith(OF_TOOLS)).sorted().limit(100).toList()) {
        if (!Files.isReadable(file)) {
          continue;
        }
        byte[] bytes = Files.readAllBytes(file);
        List<AuditRecord> read = new ArrayList<>();
        if (bytes.length > HEADER_BYTES
            && decoded(java.util.Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length), read)) {
          left.add(new Left(file, read.getFirst()));
        }
      }
      return left;
    }
  }
}
