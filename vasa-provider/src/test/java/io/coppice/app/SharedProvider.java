package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.util.FileSystemUtils;

/// A provider for all tests of one class, and an authority whose clients it may get to know.
final class SharedProvider implements BeforeAllCallback, AfterAllCallback {

  private static final Duration VALIDITY = Duration.ofDays(365);

  private final String[] settings;
  private final StorageEngine engine;
  private final Preparation preparation;
  private final Issuer authority = Issuer.create("authority of clients", Instant.now(), VALIDITY);
  private @Nullable Path home;
  private @Nullable TestProvider provider;

  /// @param settings beside those of [TestProvider]
  SharedProvider(String... settings) {
    this(_ -> {}, settings);
  }

  /// @param preparation of the home, before the start
  SharedProvider(Preparation preparation, String... settings) {
    this(new MemoryEngine(), preparation, settings);
  }

  /// @param engine an empty pool
  SharedProvider(StorageEngine engine, String... settings) {
    this(engine, _ -> {}, settings);
  }

  private SharedProvider(StorageEngine engine, Preparation preparation, String... settings) {
    this.engine = engine;
    this.preparation = preparation;
    this.settings = settings;
  }

  @FunctionalInterface
  interface Preparation {
    void of(Path home) throws Exception;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    home = Files.createTempDirectory("coppice-home");
    preparation.of(home);
    provider = TestProvider.start(home, engine, settings).ready();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (provider != null) {
      provider.close();
    }
    FileSystemUtils.deleteRecursively(home);
  }

  TestProvider get() {
    return Objects.requireNonNull(provider, "a provider that was started");
  }

  /// A certificate of the authority.
  ServedCertificate certificate(String name) {
    return authority.issue(List.of(name), Instant.now(), VALIDITY);
  }

  VasaClient client(@Nullable ServedCertificate certificate) throws Exception {
    return new VasaClient(get().vasaPort(), certificate);
  }

  /// Registers the authority.
  Reply register() throws Exception {
    Reply registered =
        client(null)
            .register(get().password(), List.of(Pem.of(authority.served().leaf())), List.of());
    assertThat(registered.status()).as(registered.text()).isEqualTo(200);
    return registered;
  }

  /// What the authority makes of a signing request, PEM.
  String sign(String request) throws Exception {
    return sign(authority, request);
  }

  /// What an authority makes of a signing request, PEM.
  static String sign(Issuer authority, String request) throws Exception {
    try (var parser = new PEMParser(new StringReader(request))) {
      var csr = new JcaPKCS10CertificationRequest((PKCS10CertificationRequest) parser.readObject());
      var builder =
          new JcaX509v3CertificateBuilder(
              authority.served().leaf(),
              BigInteger.valueOf(4711),
              Date.from(Instant.now().minus(Duration.ofHours(1))),
              Date.from(Instant.now().plus(VALIDITY)),
              new X500Principal(csr.getSubject().getEncoded()),
              csr.getPublicKey());
      var signer = new JcaContentSignerBuilder("SHA256withRSA").build(authority.served().key());
      return Pem.of(new JcaX509CertificateConverter().getCertificate(builder.build(signer)));
    }
  }
}
