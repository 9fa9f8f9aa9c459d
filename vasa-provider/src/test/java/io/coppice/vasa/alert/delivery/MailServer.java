package io.coppice.vasa.alert.delivery;

import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// A mail server as a process of its own, which writes each mail as a line of JSON.
final class MailServer implements AutoCloseable {

  static final String USER = "coppice";
  static final String PASSWORD = "pass word ä";

  private static final String PYTHON = "/usr/bin/python3";

  private final Process process;
  private final List<Integer> ports;
  private final List<String> mails = new CopyOnWriteArrayList<>();

  private MailServer(Process process, BufferedReader out, List<Integer> ports) {
    this.process = process;
    this.ports = ports;
    Thread.ofVirtual().start(() -> out.lines().forEach(mails::add));
  }

  static void assumeInstalled() throws IOException, InterruptedException {
    Assumptions.assumeTrue(Files.isExecutable(Path.of(PYTHON)), "python3 is not installed");
    Process asked =
        new ProcessBuilder(PYTHON, "-c", "import aiosmtpd").redirectErrorStream(true).start();
    asked.getInputStream().readAllBytes();
    Assumptions.assumeTrue(
        asked.waitFor() == 0, "aiosmtpd is not installed (Debian's package python3-aiosmtpd)");
  }

  static MailServer start(Path folder, ServedCertificate served) throws IOException {
    Path script = folder.resolve("mail-server.py");
    try (InputStream in = MailServer.class.getResourceAsStream("/mail-server.py")) {
      Files.copy(in, script);
    }
    StringBuilder chain = new StringBuilder();
    served.chain().forEach(one -> chain.append(Pem.of(one)));
    Path certificate = Files.writeString(folder.resolve("server.crt"), chain);
    Path key = Files.writeString(folder.resolve("server.key"), Pem.of(served.key()));
    Process process =
        new ProcessBuilder(
                PYTHON, script.toString(), certificate.toString(), key.toString(), USER, PASSWORD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out = process.inputReader();
    return new MailServer(
        process, out, Stream.of(out.readLine().split(" ")).map(Integer::parseInt).toList());
  }

  /// The port that demands STARTTLS.
  int port() {
    return ports.getFirst();
  }

  /// The port with TLS from the first byte on.
  int tlsPort() {
    return ports.get(1);
  }

  /// The port without any TLS.
  int plainPort() {
    return ports.get(2);
  }

  List<String> mails() {
    return mails;
  }

  void forget() {
    mails.clear();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
