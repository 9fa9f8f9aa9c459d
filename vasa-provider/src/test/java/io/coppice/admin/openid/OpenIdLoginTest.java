package io.coppice.admin.openid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import io.coppice.admin.login.Identity;
import io.coppice.admin.openid.OpenIdSettings.Claims;
import io.coppice.admin.openid.OpenIdSettings.Client;
import io.coppice.admin.openid.OpenIdSettings.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/// Logins by an authorization server that hangs or lies.
class OpenIdLoginTest {

  private static final URI CALLBACK = URI.create("https://storage.example/login/openid/callback");

  private FalseIssuer issuer;
  private OpenIdLogin login;
  private long nanos = 1;

  @BeforeEach
  void start() throws IOException {
    issuer = new FalseIssuer();
    login = login(issuer.url());
  }

  @AfterEach
  void stop() {
    issuer.close();
  }

  private OpenIdLogin login(String url) throws IOException {
    return new OpenIdLogin(
        new OpenIdSettings(
            url,
            true,
            "",
            new Client(FalseIssuer.CLIENT, ""),
            "",
            List.of("profile"),
            new Claims("preferred_username", "groups"),
            List.of("operator: staff"),
            new Limits(
                Duration.ofMillis(700),
                Duration.ofMinutes(10),
                Duration.ofHours(1),
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                2,
                3,
                DataSize.ofKilobytes(64),
                10)),
        () -> CALLBACK,
        () -> nanos);
  }

  /// A login at whose end the server gives a token with these claims.
  private OpenIdLogin.Ended ended(UnaryOperator<JWTClaimsSet.Builder> change) throws Exception {
    OpenIdLogin.Begun begun = login.begin("/");
    Map<String, String> sent = FalseIssuer.query(begun.at());
    issuer.give(change.apply(issuer.claims(sent.get("nonce"))).build());
    return login.end(back(sent.get("state")), begun.browser());
  }

  private static Map<String, List<String>> back(String state) {
    return Map.of("code", List.of("the-code"), "state", List.of(state));
  }

  @Test
  void aCodeBecomesAnIdentityWithGroups() throws Exception {
    OpenIdLogin.Ended ended = ended(UnaryOperator.identity());

    assertThat(ended.identity())
        .isEqualTo(new Identity("openid", "4711", "anna", List.of("storage", "staff")));
    assertThat(ended.target()).isEqualTo("/");
  }

  @Test
  void theChallengeThatTheServerGotIsThatOfTheVerifier() throws Exception {
    OpenIdLogin.Begun begun = login.begin("/");
    Map<String, String> sent = FalseIssuer.query(begun.at());
    issuer.give(issuer.claims(sent.get("nonce")).build());

    login.end(back(sent.get("state")), begun.browser());

    String verifier = issuer.redeemed().get("code_verifier");
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
    assertThat(sent)
        .containsEntry("code_challenge_method", "S256")
        .containsEntry(
            "code_challenge", Base64.getUrlEncoder().withoutPadding().encodeToString(hash))
        .containsEntry("response_type", "code")
        .containsEntry("scope", "openid profile")
        .containsEntry("redirect_uri", CALLBACK.toString());
    assertThat(issuer.redeemed())
        .containsEntry("code", "the-code")
        .containsEntry("client_id", FalseIssuer.CLIENT)
        .containsEntry("redirect_uri", CALLBACK.toString());
  }

  @Test
  void aTokenThatIsNotForThisLoginIsRefused() {
    Date past = Date.from(Instant.now().minusSeconds(600));

    assertInvalid(claims -> claims.issuer("http://localhost:1"));
    assertInvalid(claims -> claims.audience("another"));
    assertInvalid(claims -> claims.claim("nonce", "another"));
    assertInvalid(claims -> claims.claim("nonce", null));
    assertInvalid(claims -> claims.expirationTime(past));
    assertInvalid(claims -> claims.expirationTime(null));
    assertInvalid(claims -> claims.issueTime(Date.from(Instant.now().plusSeconds(600))));
    assertInvalid(claims -> claims.subject(null));
  }

  private void assertInvalid(UnaryOperator<JWTClaimsSet.Builder> change) {
    assertThatThrownBy(() -> ended(change))
        .isInstanceOf(OpenIdException.class)
        .hasMessageContaining(issuer.url())
        .hasMessageContaining("not valid");
  }

  @Test
  void aSignatureByAnotherKeyOrByNoneIsRefused() throws Exception {
    interface Giving {
      void token(JWTClaimsSet claims) throws Exception;
    }
    List<Giving> wrong =
        List.of(issuer::giveByStranger, issuer::giveUnsigned, issuer::giveByPublicKey);
    for (Giving giving : wrong) {
      OpenIdLogin.Begun begun = login.begin("/");
      Map<String, String> sent = FalseIssuer.query(begun.at());
      giving.token(issuer.claims(sent.get("nonce")).build());

      assertThatThrownBy(() -> login.end(back(sent.get("state")), begun.browser()))
          .isInstanceOf(OpenIdException.class)
          .hasMessageContaining("not valid");
    }
  }

  @Test
  void keysAreReadAgainForAnUnknownOneButNotMoreOftenThanTheSettingsAllow() throws Exception {
    ended(UnaryOperator.identity());
    assertThat(issuer.asked("/keys")).isOne();

    issuer.renewKey();
    assertInvalid(UnaryOperator.identity());
    assertInvalid(UnaryOperator.identity());
    assertThat(issuer.asked("/keys")).isOne();

    nanos += Duration.ofSeconds(11).toNanos();
    ended(UnaryOperator.identity());
    assertThat(issuer.asked("/keys")).isEqualTo(2);
  }

  @Test
  void anAnswerCountsOnceForTheBrowserThatBeganAndForItsTime() throws Exception {
    OpenIdLogin.Begun begun = login.begin("/");
    Map<String, String> sent = FalseIssuer.query(begun.at());
    issuer.give(issuer.claims(sent.get("nonce")).build());
    Map<String, List<String>> answer = back(sent.get("state"));

    assertNotWaitedFor(answer, "");
    assertNotWaitedFor(answer, "another browser");
    assertThat(login.end(answer, begun.browser()).identity().name()).isEqualTo("anna");
    assertNotWaitedFor(answer, begun.browser());

    OpenIdLogin.Begun late = login.begin("/");
    nanos += Duration.ofMinutes(11).toNanos();
    assertNotWaitedFor(back(FalseIssuer.query(late.at()).get("state")), late.browser());
    assertNotWaitedFor(Map.of(), begun.browser());
    assertNotWaitedFor(Map.of("state", List.of("a", "b"), "code", List.of("")), begun.browser());
  }

  @Test
  void theOldestLoginGivesWayWhereThereAreTooMany() throws Exception {
    List<OpenIdLogin.Begun> begun = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      begun.add(login.begin("/"));
    }

    assertNotWaitedFor(
        back(FalseIssuer.query(begun.getFirst().at()).get("state")), begun.getFirst().browser());
    Map<String, String> last = FalseIssuer.query(begun.getLast().at());
    issuer.give(issuer.claims(last.get("nonce")).build());
    assertThat(login.end(back(last.get("state")), begun.getLast().browser())).isNotNull();
  }

  private void assertNotWaitedFor(Map<String, List<String>> answer, String browser) {
    assertThatThrownBy(() -> login.end(answer, browser))
        .isInstanceOf(OpenIdException.class)
        .hasMessageContaining("begin it again");
  }

  @Test
  void aRefusalOfTheServerIsTold() throws Exception {
    OpenIdLogin.Begun begun = login.begin("/");
    String state = FalseIssuer.query(begun.at()).get("state");
    Map<String, List<String>> answer =
        Map.of("error", List.of("access_denied"), "state", List.of(state));

    assertThatThrownBy(() -> login.end(answer, begun.browser()))
        .hasMessageContaining(issuer.url())
        .hasMessageContaining("access_denied");
  }

  @Test
  void anAnswerOfAnotherServerIsRefused() throws Exception {
    OpenIdLogin.Begun begun = login.begin("/");
    Map<String, List<String>> answer =
        Map.of(
            "code",
            List.of("c"),
            "state",
            List.of(FalseIssuer.query(begun.at()).get("state")),
            "iss",
            List.of("https://other.example"));

    assertThatThrownBy(() -> login.end(answer, begun.browser()))
        .hasMessageContaining("another server");
  }

  @Test
  void aServerThatDescribesItselfWronglyIsRefused() throws Exception {
    Map<String, String> lies =
        Map.of(
            FalseIssuer.metadata("http://localhost:1"),
            "calls itself http://localhost:1",
            "[]",
            "cannot be read",
            "{}",
            "cannot be read",
            "<html>",
            "cannot be read",
            "{\"issuer\": \"" + issuer.url() + "\", \"subject_types_supported\": [\"public\"]}",
            "",
            " ".repeat(70_000),
            "could not be asked");
    for (Map.Entry<String, String> lie : lies.entrySet()) {
      issuer.lieAboutItself(exchange -> FalseIssuer.send(exchange, lie.getKey()));

      assertThatThrownBy(() -> login(issuer.url()).begin("/"))
          .isInstanceOf(OpenIdException.class)
          .hasMessageContaining(issuer.url())
          .hasMessageContaining(lie.getValue());
    }
  }

  @Test
  void aServerThatHangsIsLeftInTimeAndAskedOnceForAll() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    issuer.lieAboutItself(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          OutputStream out = exchange.getResponseBody();
          try {
            while (!end.await(50, TimeUnit.MILLISECONDS)) {
              out.write(' ');
              out.flush();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });

    assertThatThrownBy(() -> login.begin("/")).hasMessageContaining("no answer in 0.7 s");
    assertThatThrownBy(() -> login.begin("/")).hasMessageContaining("no answer in 0.7 s");
    assertThat(issuer.asked("/.well-known/openid-configuration")).isOne();
    for (int i = 0; i < 500 && login.underWay() > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(login.underWay()).as("calls that go on").isZero();
    end.countDown();
  }

  @Test
  void somethingInThePlaceOfATokenIsRefused() throws Exception {
    List<String> lies =
        List.of(
            "",
            "[]",
            "{}",
            "{\"access_token\": \"a\", \"token_type\": \"Bearer\"}",
            "{\"access_token\": \"a\", \"token_type\": \"Bearer\", \"id_token\": \"a.b.c\"}",
            "{\"access_token\": \"a\", \"token_type\": \"Bearer\", \"id_token\": 7}");
    for (String lie : lies) {
      issuer.lieAboutTokens(exchange -> FalseIssuer.send(exchange, lie));
      OpenIdLogin.Begun begun = login.begin("/");
      String state = FalseIssuer.query(begun.at()).get("state");

      assertThatThrownBy(() -> login.end(back(state), begun.browser()))
          .as(lie)
          .isInstanceOf(OpenIdException.class)
          .hasMessageContaining(issuer.url());
    }
  }

  @Test
  void onlyPathsOfThisServerAreTargets() {
    assertThat(LocalTarget.of("/vms/7?tab=io#top")).isEqualTo("/vms/7?tab=io#top");
    for (String other :
        List.of("", "//evil.example", "/\\evil.example", "https://evil.example", "/a\r\nb", "x")) {
      assertThat(LocalTarget.of(other)).isEqualTo("/");
    }
    assertThat(LocalTarget.of(null)).isEqualTo("/");
  }

  @Test
  void thePageEscapesWhatTheServerSent() {
    assertThat(RefusalPage.of("the server said <script>alert(1)</script>"))
        .contains("The server said &lt;script&gt;")
        .doesNotContain("<script>");
  }
}
