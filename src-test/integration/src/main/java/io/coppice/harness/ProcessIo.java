package io.coppice.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The kernel's count of what a process had the block layer do (`/proc/PID/io`, proc(5)).
///
/// @param bytesWritten bytes that the process caused to be sent to storage
/// @param bytesRead bytes that the process caused to be fetched from storage
public record ProcessIo(long bytesWritten, long bytesRead) {

  public static ProcessIo of(long pid) {
    long written = 0;
    long read = 0;
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "io"))) {
        String[] parts = line.split(": ");
        switch (parts[0]) {
          case "write_bytes" -> written = Long.parseLong(parts[1]);
          case "read_bytes" -> read = Long.parseLong(parts[1]);
          default -> {}
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ProcessIo(written, read);
  }
}
