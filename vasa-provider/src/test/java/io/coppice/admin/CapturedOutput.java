package io.coppice.admin;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// Standard output, with the log, as it is printed meanwhile.
final class CapturedOutput implements AutoCloseable {

  private final PrintStream before = System.out;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  CapturedOutput() {
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
  }

  String text() {
    System.out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  long lines() {
    return text().lines().count();
  }

  @Override
  public void close() {
    System.setOut(before);
    before.print(text());
  }
}
