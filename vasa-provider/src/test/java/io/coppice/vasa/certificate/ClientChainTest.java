package io.coppice.vasa.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.certificate.ClientChain.Distrust;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.Test;

/// Reasons why a chain is not trusted, each by itself.
class ClientChainTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);

  private final Issuer authority =
      Issuer.create("authority", NOW.minus(YEAR), YEAR.multipliedBy(3));
  private final List<X509Certificate> roots = List.of(authority.served().leaf());

  @Test
  void reasonsAreToldApart() throws Exception {
    assertRefused(
        chain(authority, NOW.minus(YEAR), Duration.ofDays(10)),
        Distrust.EXPIRED,
        "valid until 2025-12-01T");
    assertRefused(
        chain(authority, NOW.plus(YEAR), YEAR), Distrust.NOT_YET_VALID, "is not valid yet");
    Issuer stranger = Issuer.create("stranger", NOW, YEAR);
    assertRefused(
        chain(stranger, NOW, YEAR), Distrust.UNKNOWN_ROOT, "chains to no registered root");
    assertRefused(
        chain(stranger, NOW.minus(YEAR), Duration.ofDays(10)),
        Distrust.UNKNOWN_ROOT,
        "chains to no registered root");
    ClientChain good = chain(authority, NOW, YEAR);
    assertThat(good.pathTo(roots, List.of(), NOW)).isPresent();
    assertThat(good.pathTo(roots, List.of(revoke(good)), NOW)).isEmpty();
    assertThat(good.refusal(roots, List.of(revoke(good)), NOW).why()).isEqualTo(Distrust.REVOKED);
  }

  @Test
  void expiredIssuerBetweenIsNamedAsTheReason() throws Exception {
    KeyPair keys = Issuer.newKeys();
    X509Certificate between = intermediate(keys, NOW.minus(YEAR), NOW.minus(Duration.ofDays(1)));
    KeyPair leafKeys = Issuer.newKeys();
    X509Certificate leaf =
        issue(between, keys, leafKeys, "CN=host", NOW.minus(YEAR), NOW.plus(YEAR), false);

    assertRefused(
        new ClientChain(List.of(leaf, between)),
        Distrust.EXPIRED,
        "has an issuer that has expired: it was valid until");
  }

  private void assertRefused(ClientChain chain, Distrust why, String sentence) {
    assertThat(chain.pathTo(roots, List.of(), NOW)).isEmpty();
    ClientChain.Refusal refusal = chain.refusal(roots, List.of(), NOW);
    assertThat(refusal.why()).as(sentence).isEqualTo(why);
    assertThat(refusal.sentence()).contains(sentence);
  }

  private static ClientChain chain(Issuer issuer, Instant from, Duration validity) {
    return new ClientChain(issuer.issue(List.of("host.test"), from, validity).chain());
  }

  private X509Certificate intermediate(KeyPair keys, Instant from, Instant until) throws Exception {
    var rootKeys = new KeyPair(authority.served().leaf().getPublicKey(), authority.served().key());
    return issue(authority.served().leaf(), rootKeys, keys, "CN=between", from, until, true);
  }

  private static X509Certificate issue(
      X509Certificate issuer,
      KeyPair issuerKeys,
      KeyPair keys,
      String name,
      Instant from,
      Instant until,
      boolean ca)
      throws Exception {
    var builder =
        new JcaX509v3CertificateBuilder(
            issuer,
            BigInteger.valueOf(42),
            Date.from(from),
            Date.from(until),
            new X500Principal(name),
            keys.getPublic());
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(ca));
    var signer = new JcaContentSignerBuilder("SHA256withRSA").build(issuerKeys.getPrivate());
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
  }

  private X509CRL revoke(ClientChain chain) throws Exception {
    var builder = new JcaX509v2CRLBuilder(authority.served().leaf(), Date.from(NOW));
    builder.addCRLEntry(chain.leaf().getSerialNumber(), Date.from(NOW), 0);
    var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.served().key());
    return new JcaX509CRLConverter().getCRL(builder.build(signer));
  }
}
