package io.coppice.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// What a process that will be killed notes of its work: one call of the kernel a note, in a file,
/// so that what was noted before the kill is there after it.
final class KillNotes implements AutoCloseable {

  /// A beginning is noted before the call, an end after its answer.
  enum What {
    OPENED,
    WRITE_BEGINS,
    WRITE_ENDED,
    SNAPSHOT_BEGINS,
    SNAPSHOT_ENDED,
    DELETE_BEGINS,
    DELETE_ENDED
  }

  /// `number` is what is written, or the number of the snapshot; `block` is 0 but for writes.
  record Note(What what, int block, long number) {}

  private static final int BYTES = 16;

  private final FileChannel file;

  private KillNotes(FileChannel file) {
    this.file = file;
  }

  static KillNotes create(Path path) throws IOException {
    return new KillNotes(
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  synchronized void add(What what, int block, long number) {
    ByteBuffer note = ByteBuffer.allocate(BYTES);
    note.putInt(what.ordinal()).putInt(block).putLong(number).flip();
    try {
      if (file.write(note) != BYTES) {
        throw new AssertionError("expected a note to be written at once");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// All whole notes of the file, in order.
  static List<Note> read(Path path) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
    List<Note> notes = new ArrayList<>();
    while (bytes.remaining() >= BYTES) {
      notes.add(new Note(What.values()[bytes.getInt()], bytes.getInt(), bytes.getLong()));
    }
    return notes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
