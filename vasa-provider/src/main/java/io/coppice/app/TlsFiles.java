package io.coppice.app;

import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.certificate.ServedCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Keys and certificates in `tls` below the home: made at the first start, kept from then on.
///
/// | File | What |
/// |---|---|
/// | `root.pem` | our own root, with its key |
/// | `root.crt` | the root alone, for clients that should trust it |
/// | `vasa.pem`, `management.pem` | key and chain that the two ports serve; yours may be put there |
/// | `vasa-request.key` | key of a signing request that waits for its certificate |
final class TlsFiles {

  private static final Duration ROOT_VALIDITY = Duration.ofDays(3650);

  private final Path folder;
  private final List<String> names;
  private final ServedCertificate management;

  TlsFiles(Home home, CoppiceProperties.Tls settings, InstantSource clock) {
    this.folder = home.path().resolve("tls");
    this.names = settings.names().isEmpty() ? namesOfThisMachine() : settings.names();
    var validity = Duration.ofDays(settings.validityDays());
    try {
      Files.createDirectories(folder);
      var root =
          new Issuer(
              ProviderCertificate.loadOrIssue(
                  folder.resolve("root.pem"),
                  () ->
                      Issuer.create(
                              "Coppice root " + names.getFirst(), clock.instant(), ROOT_VALIDITY)
                          .served()));
      Files.writeString(folder.resolve("root.crt"), Pem.of(root.served().leaf()));
      ProviderCertificate.loadOrIssue(
          vasaFile(), () -> root.issue(names, clock.instant(), validity));
      this.management =
          ProviderCertificate.loadOrIssue(
              folder.resolve("management.pem"), () -> root.issue(names, clock.instant(), validity));
    } catch (IOException | CertificateException e) {
      throw new StartupException(
          "the keys and certificates in %s cannot be used: %s".formatted(folder, e.getMessage()),
          e);
    }
  }

  ServedCertificate management() {
    return management;
  }

  /// What the VASA port serves.
  ProviderCertificate vasa() {
    try {
      return new ProviderCertificate(vasaFile(), folder.resolve("vasa-request.key"), names);
    } catch (IOException | CertificateException e) {
      throw new StartupException(
          "the certificate in %s cannot be used: %s".formatted(vasaFile(), e.getMessage()), e);
    }
  }

  List<String> names() {
    return names;
  }

  private Path vasaFile() {
    return folder.resolve("vasa.pem");
  }

  /// The host's name first, then its addresses.
  private static List<String> namesOfThisMachine() {
    Set<String> all = new LinkedHashSet<>();
    try {
      all.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException _) {
      // A machine without a name: its addresses do.
    }
    all.add("localhost");
    try {
      for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
        card.inetAddresses()
            .filter(address -> !address.isLinkLocalAddress())
            .forEach(address -> all.add(text(address)));
      }
    } catch (SocketException _) {
      all.add(text(InetAddress.getLoopbackAddress()));
    }
    return new ArrayList<>(all);
  }

  /// Without the interface that an IPv6 address may name: that is this machine's affair.
  private static String text(InetAddress address) {
    return address.getHostAddress().replaceFirst("%.*", "");
  }
}
