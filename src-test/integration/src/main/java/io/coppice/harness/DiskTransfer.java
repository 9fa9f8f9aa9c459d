package io.coppice.harness;

import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.ScsiResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;

/// Moves whole disks between a local image and a logical unit, with several commands outstanding.
public final class DiskTransfer {

  private static final int BLOCK = 512;
  private static final int PIECE_BYTES = 256 << 10;
  private static final int DEPTH = 16;

  private DiskTransfer() {}

  /// SHA-256 of the logical unit's whole content, by reading all of it.
  public static String sha256(LogicalUnit unit, long sizeInBytes) {
    MessageDigest digest = newSha256();
    Deque<CompletableFuture<ScsiResult>> outstanding = new ArrayDeque<>();
    long next = 0;
    unit.clearAttentions();
    while (next < sizeInBytes || !outstanding.isEmpty()) {
      while (next < sizeInBytes && outstanding.size() < DEPTH) {
        int length = (int) Math.min(PIECE_BYTES, sizeInBytes - next);
        outstanding.add(unit.startRead(next / BLOCK, length / BLOCK, BLOCK));
        next += length;
      }
      digest.update(good(outstanding.remove(), "READ(16)").dataIn());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /// SHA-256 of a file.
  public static String sha256(Path file) {
    MessageDigest digest = newSha256();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(buffer.clear()) >= 0) {
        digest.update(buffer.flip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /// Makes the logical unit equal to `image` by writing the pieces in which `image` differs from
  /// `before`; what is zero in a fresh volume is not written.
  ///
  /// @param before what the logical unit holds now; null for a fresh one, all zeros
  /// @return bytes written
  public static long writeChanges(
      LogicalUnit unit, Path image, @org.jspecify.annotations.Nullable Path before) {
    long written = 0;
    Deque<CompletableFuture<ScsiResult>> outstanding = new ArrayDeque<>();
    unit.clearAttentions();
    try (FileChannel now = FileChannel.open(image, StandardOpenOption.READ);
        FileChannel old =
            before == null ? null : FileChannel.open(before, StandardOpenOption.READ)) {
      for (long at = 0; at < now.size(); at += PIECE_BYTES) {
        ByteBuffer piece = readPiece(now, at);
        byte[] held = new byte[piece.remaining()];
        if (old != null) {
          readPiece(old, at).get(held);
        }
        if (!Arrays.equals(held, piece.array())) {
          if (outstanding.size() == DEPTH) {
            good(outstanding.remove(), "WRITE(16)");
          }
          written += piece.remaining();
          outstanding.add(unit.startWrite(at / BLOCK, piece.remaining() / BLOCK, piece));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    outstanding.forEach(last -> good(last, "WRITE(16)"));
    return written;
  }

  private static ByteBuffer readPiece(FileChannel channel, long offset) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, channel.size() - offset));
    while (piece.hasRemaining()) {
      if (channel.read(piece, offset + piece.position()) < 0) {
        throw new IOException("the image ends at " + channel.size());
      }
    }
    return piece.flip();
  }

  private static ScsiResult good(CompletableFuture<ScsiResult> future, String what) {
    ScsiResult result = future.join();
    if (!result.good()) {
      throw new Mismatch("expected GOOD from %s, got %s".formatted(what, result));
    }
    return result;
  }

  private static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
