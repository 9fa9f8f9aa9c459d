package io.coppice.vasa.verdict;

import io.coppice.vasa.certificate.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The chain that the VASA port serves, and the judge of it.
///
/// @param file that holds it, with its key
/// @param chain leaf first
/// @param ours whether our own root issued the leaf
/// @param root whether there is a root of ours, with its key
/// @param running whether a provider serves it
public record ServedChain(
    Path file, List<X509Certificate> chain, boolean ours, boolean root, boolean running) {

  private static final int NOTICE_DAYS = 90;
  private static final int SOON_DAYS = 30;
  private static final int NOW_DAYS = 7;

  public ServedChain {
    chain = List.copyOf(chain);
  }

  /// The chain of the provider with a home.
  public static ServedChain of(Path home, List<X509Certificate> chain, boolean running) {
    return new ServedChain(
        home.resolve("tls/vasa.pem"),
        chain,
        isOurs(home.resolve("tls/root.crt"), chain.getFirst()),
        Files.exists(home.resolve("tls/root.pem")),
        running);
  }

  private static boolean isOurs(Path root, X509Certificate leaf) {
    try {
      return Files.exists(root)
          && signedBy(leaf, Pem.certificates(Files.readString(root)).getFirst());
    } catch (IOException | CertificateException e) {
      return false;
    }
  }

  /// Judges whether it is complete, its dates, and its names.
  ///
  /// @param inUrl the name in the URL that vCenter uses, if it is known
  public void judge(Optional<String> inUrl, Instant now, Report report) {
    chain(report);
    dates(now, report);
    names(inUrl, report);
  }

  /// The way to get another certificate.
  private String renewal() {
    if (ours) {
      return "a running provider makes another within the hour, a stopped one when it starts.";
    }
    return (root
            ? "refresh the provider's certificate in vCenter, which works after the end too, or put"
            : "put")
        + " another key and chain into %s and restart.".formatted(file);
  }

  private void chain(Report report) {
    for (int i = 0; i + 1 < chain.size(); i++) {
      if (!signedBy(chain.get(i), chain.get(i + 1))) {
        report.fail(
            "chain",
            Cause.CHAIN,
            "The chain in %s is broken: %s is followed by %s, which did not sign it."
                .formatted(file, subject(chain.get(i)), subject(chain.get(i + 1))),
            "write the chain anew, leaf first, each followed by its issuer, and restart.");
        return;
      }
    }
    X509Certificate last = chain.getLast();
    if (chain.size() == 1 && !signedBy(last, last)) {
      report.warn(
          "chain",
          "it has no issuer beside it: clients must know %s themselves",
          last.getIssuerX500Principal().getName());
    } else {
      report.ok("chain", "complete, up to %s", subject(last));
    }
  }

  private void dates(Instant now, Report report) {
    X509Certificate leaf = chain.getFirst();
    Instant begin = leaf.getNotBefore().toInstant();
    Instant end = leaf.getNotAfter().toInstant();
    boolean invalid = now.isBefore(begin) || now.isAfter(end);
    if (invalid && ours && !running && now.isAfter(end)) {
      report.warn("expiry", "it ended on %s; the next start makes another", end);
    } else if (invalid) {
      report.fail(
          "expiry",
          Cause.EXPIRED,
          "The certificate %s %s on %s."
              .formatted(
                  subject(leaf),
                  now.isAfter(end) ? "ended" : "is not valid before it begins",
                  now.isAfter(end) ? end : begin),
          renewal());
    } else {
      left(Duration.between(now, end).toDays(), end, report);
    }
  }

  private void left(long days, Instant end, Report report) {
    if (days > NOTICE_DAYS) {
      report.ok("expiry", "%d days left, until %s", days, end);
      return;
    }
    String haste = "within 90 days";
    if (days <= NOW_DAYS) {
      haste = "now";
    } else if (days <= SOON_DAYS) {
      haste = "within the month";
    }
    report.warn("expiry", "%d days left, until %s; %s: %s", days, end, haste, renewal());
  }

  private void names(Optional<String> inUrl, Report report) {
    SubjectNames names = SubjectNames.of(chain.getFirst());
    if (inUrl.isEmpty()) {
      report.ok("names", "the certificate is for %s", names);
    } else if (names.include(inUrl.get())) {
      report.ok("names", "the certificate is for %s among others", inUrl.get());
    } else {
      report.fail(
          "names",
          Cause.NAME,
          "The certificate is not for %s, only for %s.".formatted(inUrl.get(), names),
          "set coppice.tls.names to %s and %s"
              .formatted(
                  inUrl.get(),
                  ours
                      ? "move %s away, then restart: the provider makes another.".formatted(file)
                      : renewal()));
    }
  }

  private static boolean signedBy(X509Certificate certificate, X509Certificate issuer) {
    if (!certificate.getIssuerX500Principal().equals(issuer.getSubjectX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /// The name of a certificate, for people.
  public static String subject(X509Certificate certificate) {
    return certificate.getSubjectX500Principal().getName();
  }
}
