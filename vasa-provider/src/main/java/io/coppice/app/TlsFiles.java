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
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keys and certificates in `tls` below the home: made at the first start and kept from then on.
/// What we made is made anew by a start shortly before it expires; what was put there by others, or
/// signed by a vCenter, is left.
///
/// | File | What |
/// |---|---|
/// | `root.pem` | our own root, with its key |
/// | `root.crt` | the root alone, for clients that should trust it |
/// | `vasa.pem`, `management.pem` | key and chain that the two ports serve; yours may be put there |
/// | `vasa-request.key` | key of a signing request that waits for its certificate |
final class TlsFiles {

  private static final Logger log = LoggerFactory.getLogger(TlsFiles.class);
  private static final Duration RENEWAL = Duration.ofDays(30);
  private static final Pattern OUR_ROOT = Pattern.compile("CN=(Coppice root .*),O=Coppice");
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
      var root = new Issuer(root(clock));
      Files.writeString(folder.resolve("root.crt"), Pem.of(root.served().leaf()));
      Supplier<ServedCertificate> issue = () -> root.issue(names, clock.instant(), validity);
      X509Certificate issuer = root.served().leaf();
      served(vasaFile(), issue, issuer, clock);
      this.management = served(folder.resolve("management.pem"), issue, issuer, clock);
    } catch (IOException | CertificateException e) {
      throw new StartupException(
          "the keys and certificates in %s cannot be used: %s".formatted(folder, e.getMessage()),
          e);
    }
  }

  /// Our root, or one of the same name if it ends soon.
  private ServedCertificate root(InstantSource clock) throws IOException, CertificateException {
    Path file = folder.resolve("root.pem");
    ServedCertificate root =
        ProviderCertificate.loadOrIssue(
            file, () -> newRoot("Coppice root " + names.getFirst(), clock));
    Matcher ours = OUR_ROOT.matcher(root.leaf().getSubjectX500Principal().getName());
    if (!expiresSoon(root.leaf(), clock)) {
      return root;
    }
    if (!ours.matches()) {
      warn(file, root);
      return root;
    }
    return renewed(file, root, () -> newRoot(ours.group(1), clock));
  }

  private static ServedCertificate newRoot(String name, InstantSource clock) {
    return Issuer.create(name, clock.instant(), ROOT_VALIDITY).served();
  }

  /// What a port serves: what stands in its file, or anew if our root issued that and either of
  /// them ended or ends soon.
  private static ServedCertificate served(
      Path file, Supplier<ServedCertificate> issue, X509Certificate root, InstantSource clock)
      throws IOException, CertificateException {
    ServedCertificate served = ProviderCertificate.loadOrIssue(file, issue);
    boolean ours = served.leaf().getIssuerX500Principal().equals(root.getSubjectX500Principal());
    boolean endsSoon = expiresSoon(served.leaf(), clock);
    if (ours && (endsSoon || !signedBy(served.leaf(), root))) {
      return renewed(file, served, issue);
    }
    if (endsSoon) {
      warn(file, served);
    }
    return served;
  }

  private static void warn(Path file, ServedCertificate served) {
    log.atWarn()
        .addKeyValue("file", file)
        .addKeyValue("until", served.leaf().getNotAfter().toInstant())
        .log("a certificate that Coppice did not make expires soon");
  }

  private static ServedCertificate renewed(
      Path file, ServedCertificate old, Supplier<ServedCertificate> issue)
      throws IOException, CertificateException {
    ServedCertificate next = ProviderCertificate.issueAnew(file, issue);
    log.atInfo()
        .addKeyValue("file", file)
        .addKeyValue("oldUntil", old.leaf().getNotAfter().toInstant())
        .addKeyValue("until", next.leaf().getNotAfter().toInstant())
        .log("certificate made anew");
    return next;
  }

  /// Within the last 30 days of its life, or within its second half if it has fewer than 60.
  private static boolean expiresSoon(X509Certificate certificate, InstantSource clock) {
    Instant end = certificate.getNotAfter().toInstant();
    Duration half = Duration.between(certificate.getNotBefore().toInstant(), end).dividedBy(2);
    Duration before = half.compareTo(RENEWAL) < 0 ? half : RENEWAL;
    return !clock.instant().isBefore(end.minus(before));
  }

  private static boolean signedBy(X509Certificate certificate, X509Certificate root) {
    try {
      certificate.verify(root.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
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
