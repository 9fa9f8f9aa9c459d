package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.driver.pki.Pem;
import io.coppice.driver.pki.ServerTrust;
import io.coppice.harness.ProviderProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logins at a running provider, by a real directory and a real authorization server, up to the
/// session that the browser gets.
class LoginServersIT {

  @TempDir private static Path folder;

  private static AuthorizationProcess authorization;
  private static SlapdProcess slapd;
  private static ProviderProcess provider;
  private static SSLContext trust;

  @BeforeAll
  static void start() throws Exception {
    ProviderProcess ports =
        new ProviderProcess(
            Path.of(System.getProperty("coppice.jar")), folder.resolve("home"), List.of());
    authorization =
        AuthorizationProcess.start(
            Files.createDirectories(folder.resolve("as")), callback(ports.management()));
    List<String> settings = new ArrayList<>(ofOpenId(ports.management()));
    if (SlapdProcess.exists()) {
      slapd = SlapdProcess.start(folder.resolve("ldap"));
      settings.addAll(ofLdap());
    }
    provider = ports.restartedWith(settings);
    provider.start();
    provider.awaitReady(RunningProvider.START_LIMIT);
    trust =
        ServerTrust.authorities(
                List.of(
                    Pem.certificate(Files.readString(folder.resolve("as/ca.crt"))),
                    Pem.certificate(Files.readString(folder.resolve("home/tls/root.crt")))))
            .context(null);
  }

  @AfterAll
  static void stop() {
    for (AutoCloseable one : new AutoCloseable[] {provider, slapd, authorization}) {
      try {
        if (one != null) {
          one.close();
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private static URI callback(URI management) {
    return management.resolve("/login/openid/callback");
  }

  private static List<String> ofOpenId(URI management) {
    return List.of(
        "--coppice.pool.capacity=1GB",
        "--coppice.openid.issuer=" + authorization.issuer(),
        "--coppice.openid.ca=" + authorization.file("ca.crt"),
        "--coppice.openid.client.id=" + AuthorizationProcess.CLIENT,
        "--coppice.openid.client.secret-file=" + authorization.file("client.secret"),
        "--coppice.openid.redirect-uri=" + callback(management),
        "--coppice.openid.roles[0]=storage-admin: storage");
  }

  private static List<String> ofLdap() {
    return List.of(
        "--coppice.ldap.servers[0]=" + slapd.tlsUrl(),
        "--coppice.ldap.ca=" + slapd.file("ca.crt"),
        "--coppice.ldap.bind.name=" + SlapdProcess.READER,
        "--coppice.ldap.bind.password-file=" + slapd.file("reader.password"),
        "--coppice.ldap.user.base=" + SlapdProcess.SUFFIX,
        "--coppice.ldap.roles[0]=operator: " + SlapdProcess.STORAGE);
  }

  private static URI api(String path) {
    return provider.management().resolve("/api/v1/" + path);
  }

  private static HttpResponse<String> byOpenId(BrowserAtLogin browser, String name)
      throws IOException, InterruptedException {
    URI callback = callback(provider.management());
    URI start = provider.management().resolve("/login/openid?to=/vms");
    return browser.get(browser.logIn(start, name, "password-of-" + name, callback));
  }

  @Test
  void aBrowserGetsASessionByOpenIdConnect() throws Exception {
    try (BrowserAtLogin browser = new BrowserAtLogin(trust)) {
      HttpResponse<String> end = byOpenId(browser, "anna");

      assertThat(end.statusCode()).as(end.body()).isEqualTo(303);
      assertThat(end.headers().firstValue("Location")).hasValue("/vms");
      assertThat(browser.get(api("me")).body()).contains("\"anna\"", "\"storage-admin\"");
    }
  }

  @Test
  void aLoginPageLearnsWhereLoginsBeginAndNothingOfTheServers() throws Exception {
    try (BrowserAtLogin browser = new BrowserAtLogin(trust)) {
      HttpResponse<String> sources = browser.get(api("session/sources"));

      assertThat(sources.statusCode()).as(sources.body()).isEqualTo(200);
      assertThat(sources.body())
          .contains(
              "{\"name\":\"local\",\"kind\":\"password\",\"begin\":null}",
              "{\"name\":\"openid\",\"kind\":\"browser\",\"begin\":\"/login/openid\"}")
          .doesNotContain("://", "localhost", "127.0.0.1");
      if (slapd != null) {
        assertThat(sources.body())
            .contains("{\"name\":\"ldap\",\"kind\":\"password\",\"begin\":null}");
      }
    }
  }

  @Test
  void somebodyWithoutARoleGetsAPageThatSaysSo() throws Exception {
    try (BrowserAtLogin browser = new BrowserAtLogin(trust)) {
      HttpResponse<String> end = byOpenId(browser, "ben");

      assertThat(end.statusCode()).as(end.body()).isEqualTo(403);
      assertThat(end.body()).contains("You are not logged in", "ben");
      assertThat(browser.get(api("me")).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void anAnswerThatNobodyWaitsForIsRefused() throws Exception {
    try (BrowserAtLogin browser = new BrowserAtLogin(trust)) {
      URI made = URI.create(callback(provider.management()) + "?code=made&state=up");

      HttpResponse<String> end = browser.get(made);

      assertThat(end.statusCode()).isEqualTo(400);
      assertThat(end.body()).contains("begin it again");
    }
  }

  @Test
  void aPasswordOfTheDirectoryOpensASession() throws Exception {
    assumeTrue(slapd != null, "slapd is not installed (package slapd)");
    try (BrowserAtLogin browser = new BrowserAtLogin(trust)) {
      assertThat(byPassword(browser, "anna", "wrong").statusCode()).isEqualTo(401);
      HttpResponse<String> refused = byPassword(browser, "ben", SlapdProcess.passwordOf("ben"));
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(403);
      HttpResponse<String> opened = byPassword(browser, "anna", SlapdProcess.passwordOf("anna"));

      assertThat(opened.statusCode()).as(opened.body()).isEqualTo(201);
      assertThat(browser.get(api("me")).body()).contains("\"anna\"", "\"operator\"");
    }
  }

  private static HttpResponse<String> byPassword(
      BrowserAtLogin browser, String name, String password)
      throws IOException, InterruptedException {
    return browser.post(
        api("session"),
        "{\"name\": \"%s\", \"password\": \"%s\", \"source\": \"ldap\"}".formatted(name, password));
  }
}
