package io.coppice.admin;

import io.coppice.api.host.RegistrationForm;
import io.coppice.api.system.CertificateInfo;
import io.coppice.app.setting.SettingSources;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.pool.StoragePool;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.verdict.ProviderFacts;
import io.coppice.vasa.verdict.ServedChain;
import io.coppice.vasa.verdict.Verdicts;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/// The beans of verdicts and of what is told about the process, for the [AdminApplication].
class VerdictBeans {

  @Bean
  ProviderFacts facts(ControlPlane control) {
    Issuer root = Issuer.create("root", control.clock.instant(), Duration.ofDays(3650));
    var served =
        root.issue(List.of("provider.test"), control.clock.instant(), Duration.ofDays(400));
    return new ProviderFacts() {
      @Override
      public Path home() {
        return Path.of("/home-of-a-test");
      }

      @Override
      public ServedChain chain() {
        return new ServedChain(home().resolve("tls/vasa.pem"), served.chain(), true, true, true);
      }

      @Override
      public Optional<String> nameInUrl() {
        return Optional.of("provider.test");
      }

      @Override
      public String databaseUrl() {
        return "";
      }

      @Override
      public Instant databaseClock() {
        throw new AssertionError("an embedded database has our clock");
      }
    };
  }

  @Bean
  IdentityFacts identityFacts(ControlPlane control) {
    String fingerprint = "AB:".repeat(31) + "AB";
    return new IdentityFacts() {
      @Override
      public List<CertificateInfo> certificates() {
        return List.of(
            new CertificateInfo(
                "vasa",
                "CN=provider.test",
                "CN=root",
                List.of("provider.test"),
                control.clock.instant(),
                control.clock.instant().plusSeconds(86_400),
                fingerprint,
                true));
      }

      @Override
      public RegistrationForm form() {
        return new RegistrationForm(
            URI.create("https://provider.test:8443/vasa/version.xml"),
            "vasa",
            "/home-of-a-test/vasa.password",
            fingerprint);
      }
    };
  }

  @Bean
  EffectiveSettings effectiveSettings(ConfigurableEnvironment environment) {
    return () -> SettingSources.of(environment);
  }

  @Bean
  ScriptedBundles supportBundles() {
    return new ScriptedBundles();
  }

  @Bean
  Verdicts verdicts(
      ProviderFacts facts,
      StoragePool pool,
      TrustSets trust,
      RefusedClients refused,
      AlertBoard board,
      ControlPlane control) {
    return new Verdicts(facts, pool, trust, refused, board, control.clock);
  }
}
