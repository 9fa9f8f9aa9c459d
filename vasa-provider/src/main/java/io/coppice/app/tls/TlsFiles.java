package io.coppice.app.tls;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.StartupException;
import io.coppice.engine.files.OwnerOnly;
import io.coppice.vasa.certificate.CertificateFile;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ProviderCertificate;
import io.coppice.vasa.certificate.SecretFile;
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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys and certificates in `tls` below the home: made at the first start and kept from then
/// on. Our own certificates are made anew shortly before they expire, after they did, or while they
/// are not valid yet, at a start and while we run. Those that others put there, or that a vCenter
/// signed, are left.
///
/// Our root may sign for this provider's names only. If it may not sign for a name in the settings,
/// it is made anew. An address that the machine has got since is left out.
///
/// Order of a renewal: the root, then what it signs. A crash between them leaves certificates that
/// the root did not sign, which the next start makes anew.
///
/// | File | What |
/// |---|---|
/// | `root.pem` | our own root, with its key |
/// | `root.crt` | the root alone, for clients that should trust it |
/// | `vasa.pem`, `management.pem` | key and chain that the two ports serve; yours may be put there |
/// | `vasa-request.key` | keys of signing requests that wait for their certificates |
///
/// Safe for any thread.
public final class TlsFiles {

  private static final Logger log = LoggerFactory.getLogger(TlsFiles.class);
  private static final Duration RENEWAL = Duration.ofDays(30);
  private static final Pattern OUR_ROOT = Pattern.compile("CN=(Coppice root .*),O=Coppice");
  private static final Duration ROOT_VALIDITY = Duration.ofDays(3650);

  private final Path folder;
  private final List<String> names;
  private final boolean areGiven;
  private final Duration validity;
  private final CertificateFile root;
  private final CertificateFile vasa;
  private final CertificateFile management;
  private final Set<X509Certificate> warnedOf = new HashSet<>();
  private final List<String> renewals = new ArrayList<>();

  public TlsFiles(Home home, CoppiceProperties.Tls settings, InstantSource clock) {
    this.folder = home.path().resolve("tls");
    this.names = settings.names().isEmpty() ? namesOfThisMachine() : settings.names();
    this.areGiven = !settings.names().isEmpty();
    this.validity = Duration.ofDays(settings.validityDays());
    Instant now = clock.instant();
    try {
      OwnerOnly.createDirectories(folder);
      this.root =
          CertificateFile.open(
              folder.resolve("root.pem"), () -> newRoot("Coppice root " + names.getFirst(), now));
      this.vasa = CertificateFile.open(folder.resolve("vasa.pem"), () -> issue(now));
      this.management = CertificateFile.open(folder.resolve("management.pem"), () -> issue(now));
      renewDue(now);
      writeRoot();
    } catch (IOException | CertificateException e) {
      throw new StartupException(
          "the keys and certificates in %s cannot be used: %s".formatted(folder, e.getMessage()),
          e);
    }
  }

  /// Renews our certificates that have ended or end soon; they serve from the next handshake on.
  public synchronized void renewDue(Instant now) throws IOException, CertificateException {
    Matcher ours = OUR_ROOT.matcher(rootCertificate().getSubjectX500Principal().getName());
    if (ours.matches()) {
      if (renew(
          root, old -> isDue(old, now) || isTooNarrow(old), () -> newRoot(ours.group(1), now))) {
        writeRoot();
      }
    } else {
      warnIfDue(root, now);
    }
    for (CertificateFile served : List.of(vasa, management)) {
      renew(served, old -> isOurs(old) && (isDue(old, now) || !isSigned(old)), () -> issue(now));
      warnIfDue(served, now);
    }
  }

  /// Writes the root for clients. They may read it at any time, so it is replaced in one step, and
  /// only by another one.
  private void writeRoot() throws IOException {
    Path file = folder.resolve("root.crt");
    String text = Pem.of(root.current().leaf()).strip();
    if (!Files.exists(file) || !Files.readString(file).strip().equals(text)) {
      SecretFile.write(file, text);
    }
  }

  /// Certificates that were made anew since the last call, each as one text.
  synchronized List<String> takeRenewals() {
    List<String> taken = List.copyOf(renewals);
    renewals.clear();
    return taken;
  }

  private boolean renew(
      CertificateFile file, Predicate<ServedCertificate> due, Supplier<ServedCertificate> issue)
      throws IOException, CertificateException {
    ServedCertificate old = file.current();
    boolean renewed = file.replaceIf(due, issue);
    if (renewed) {
      renewals.add(
          "%s, until %s"
              .formatted(
                  file.path().getFileName(), file.current().leaf().getNotAfter().toInstant()));
      log.atInfo()
          .addKeyValue("file", file.path())
          .addKeyValue("oldUntil", old.leaf().getNotAfter().toInstant())
          .addKeyValue("until", file.current().leaf().getNotAfter().toInstant())
          .log("certificate made anew");
    }
    return renewed;
  }

  /// Warns once for each certificate.
  private void warnIfDue(CertificateFile file, Instant now) {
    ServedCertificate served = file.current();
    if (isDue(served, now) && warnedOf.add(served.leaf())) {
      log.atWarn()
          .addKeyValue("file", file.path())
          .addKeyValue("from", served.leaf().getNotBefore().toInstant())
          .addKeyValue("until", served.leaf().getNotAfter().toInstant())
          .log("a certificate that Coppice did not make expires soon, or is not valid yet");
    }
  }

  private ServedCertificate issue(Instant now) {
    var issuer = new Issuer(root.current());
    List<String> permitted = names.stream().filter(issuer::permits).toList();
    if (permitted.size() < names.size()) {
      log.atWarn()
          .addKeyValue("names", names)
          .addKeyValue("permitted", permitted)
          .log(
              "a certificate is made without the names that our root may not sign for; list them in"
                  + " coppice.tls.names for a new root");
    }
    return issuer.issue(permitted, now, validity);
  }

  private ServedCertificate newRoot(String name, Instant now) {
    return Issuer.createFor(name, names, now, ROOT_VALIDITY).served();
  }

  /// Whether a root may not sign for one of the set names, or for any name of the machine.
  private boolean isTooNarrow(ServedCertificate root) {
    var issuer = new Issuer(root);
    return areGiven
        ? !names.stream().allMatch(issuer::permits)
        : names.stream().noneMatch(issuer::permits);
  }

  /// Whether Coppice made the root, and makes the next one.
  boolean isRootOurs() {
    return OUR_ROOT.matcher(rootCertificate().getSubjectX500Principal().getName()).matches();
  }

  X509Certificate rootCertificate() {
    return root.current().leaf();
  }

  /// Whether our root issued it: then Coppice makes the next one.
  boolean isOurs(ServedCertificate served) {
    return served
        .leaf()
        .getIssuerX500Principal()
        .equals(root.current().leaf().getSubjectX500Principal());
  }

  /// Whether our present root signed it.
  private boolean isSigned(ServedCertificate served) {
    try {
      served.leaf().verify(root.current().leaf().getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /// Whether it ends soon, or has not begun: a fast clock made the latter.
  private static boolean isDue(ServedCertificate served, Instant now) {
    return endsSoon(served, now) || now.isBefore(served.leaf().getNotBefore().toInstant());
  }

  /// Whether it is in the last 30 days of its life, or in the last third if it has fewer than 90.
  private static boolean endsSoon(ServedCertificate served, Instant now) {
    Instant end = served.leaf().getNotAfter().toInstant();
    Duration third = Duration.between(served.leaf().getNotBefore().toInstant(), end).dividedBy(3);
    Duration before = third.compareTo(RENEWAL) < 0 ? third : RENEWAL;
    return !now.isBefore(end.minus(before));
  }

  /// The certificate of the management port.
  public CertificateFile management() {
    return management;
  }

  /// The certificate of the VASA port.
  public ProviderCertificate vasa() {
    return new ProviderCertificate(vasa, folder.resolve("vasa-request.key"), names);
  }

  /// The ends of the certificates of both ports and of our root, by their files' names.
  public Map<String, Instant> ends() {
    return Map.of("root", endOf(root), "vasa", endOf(vasa), "management", endOf(management));
  }

  private static Instant endOf(CertificateFile file) {
    return file.current().leaf().getNotAfter().toInstant();
  }

  public List<String> names() {
    return names;
  }

  /// The machine's name first, then its addresses.
  private static List<String> namesOfThisMachine() {
    Set<String> all = new LinkedHashSet<>();
    try {
      all.add(InetAddress.getLocalHost().getHostName());
    } catch (UnknownHostException _) {
      // The machine has no name: its addresses do.
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

  /// The address without its IPv6 interface, which is this machine's affair.
  private static String text(InetAddress address) {
    return address.getHostAddress().replaceFirst("%.*", "");
  }
}
