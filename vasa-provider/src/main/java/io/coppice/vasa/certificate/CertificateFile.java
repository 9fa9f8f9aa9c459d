package io.coppice.vasa.certificate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A key and its certificate chain in one PEM file: replaced in one step, and taken over at once by
/// the ports that serve it. Safe for any thread.
public final class CertificateFile {

  private final Path file;
  private final List<Port> ports = new CopyOnWriteArrayList<>();

  private volatile ServedCertificate current;

  private CertificateFile(Path file, ServedCertificate current) {
    this.file = file;
    this.current = current;
  }

  /// Opens a file. If there is none, a new certificate is written to it first.
  ///
  /// @throws CertificateException if the file has no key with its certificate
  public static CertificateFile open(Path file, Supplier<ServedCertificate> issue)
      throws IOException, CertificateException {
    if (!Files.exists(file)) {
      SecretFile.write(file, issue.get().toPem().strip());
    }
    return new CertificateFile(file, ServedCertificate.fromPem(Files.readString(file)));
  }

  /// A port that serves the certificate.
  @FunctionalInterface
  public interface Port {

    /// Prepares to serve another certificate; changes nothing yet.
    ///
    /// @return the action that serves it
    /// @throws CertificateException if this port cannot serve it
    Runnable prepare(ServedCertificate next) throws CertificateException;
  }

  public Path path() {
    return file;
  }

  public ServedCertificate current() {
    return current;
  }

  /// Takes `port` along at each replacement, in the thread that replaces.
  public void servedBy(Port port) {
    ports.add(port);
  }

  /// Serves another certificate from now on. It is stable before the first connection sees it, and
  /// running connections go on.
  ///
  /// @throws CertificateException if a port cannot serve it; nothing has changed then
  public synchronized void replace(ServedCertificate next)
      throws IOException, CertificateException {
    List<Runnable> switches = new ArrayList<>();
    for (Port port : ports) {
      switches.add(port.prepare(next));
    }
    SecretFile.write(file, next.toPem().strip());
    current = next;
    switches.forEach(Runnable::run);
  }

  /// Replaces the certificate as [#replace] does, unless another thread did meanwhile.
  ///
  /// @param due whether the served certificate should go
  /// @return whether it went
  public synchronized boolean replaceIf(
      Predicate<ServedCertificate> due, Supplier<ServedCertificate> issue)
      throws IOException, CertificateException {
    if (!due.test(current)) {
      return false;
    }
    replace(issue.get());
    return true;
  }
}
