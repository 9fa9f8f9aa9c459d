package io.coppice.admin.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import io.coppice.admin.directory.LdapSettings.Bind;
import io.coppice.admin.directory.LdapSettings.Group;
import io.coppice.admin.directory.LdapSettings.User;
import io.coppice.admin.directory.LdapSettings.Waits;
import io.coppice.admin.login.PasswordOutcome;
import io.coppice.admin.login.PasswordOutcome.Known;
import io.coppice.admin.login.PasswordOutcome.Refused;
import io.coppice.admin.login.PasswordOutcome.Unavailable;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The directory against a server in this process, and against sockets that hang, break off or lie.
class LdapDirectoryTest {

  private static final Waits SHORT =
      new Waits(
          Duration.ofMillis(500), Duration.ofMillis(300), Duration.ofSeconds(5), Duration.ZERO);

  @TempDir private Path folder;

  private InMemoryDirectoryServer server;

  @BeforeEach
  void start() throws Exception {
    InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig("dc=example,dc=org");
    config.addAdditionalBindCredentials("cn=reader", "reads");
    config.setSchema(null);
    server = new InMemoryDirectoryServer(config);
    server.add("dn: dc=example,dc=org", "objectClass: domain", "dc: example");
    server.add("dn: ou=people,dc=example,dc=org", "objectClass: organizationalUnit", "ou: people");
    server.add("dn: ou=groups,dc=example,dc=org", "objectClass: organizationalUnit", "ou: groups");
    user("anna", "secret-of-anna");
    user("ben", "secret-of-ben");
    server.add(
        "dn: cn=storage,ou=groups,dc=example,dc=org",
        "objectClass: groupOfNames",
        "cn: storage",
        "member: uid=anna,ou=people,dc=example,dc=org");
    server.startListening();
    Files.writeString(folder.resolve("reader.password"), "reads\n");
  }

  private void user(String name, String password) throws Exception {
    server.add(
        "dn: uid=%s,ou=people,dc=example,dc=org".formatted(name),
        "objectClass: inetOrgPerson",
        "uid: " + name,
        "cn: " + name,
        "sn: " + name,
        "employeeNumber: of-" + name,
        "memberOf: CN=Staff, ou=groups,dc=example,dc=org",
        "userPassword: " + password);
  }

  @AfterEach
  void stop() {
    server.shutDown(true);
  }

  private String url() {
    return "ldap://localhost:" + server.getListenPort();
  }

  private LdapSettings settings(User user, String... urls) {
    return new LdapSettings(
        List.of(urls),
        true,
        "",
        new Bind("cn=reader", folder.resolve("reader.password").toString()),
        user,
        new Group("memberOf", "ou=groups,dc=example,dc=org", "(member={dn})", 100),
        List.of(),
        SHORT,
        4);
  }

  private static User searched() {
    return new User("", "dc=example,dc=org", "(uid={name})", "employeeNumber", "uid");
  }

  private LdapDirectory directory() {
    return new LdapDirectory(settings(searched(), url()));
  }

  @Test
  void theRightPasswordGivesNameSubjectAndGroups() {
    assertThat(directory().check("ANNA", "secret-of-anna"))
        .isInstanceOfSatisfying(
            Known.class,
            known -> {
              assertThat(known.identity().source()).isEqualTo("ldap");
              assertThat(known.identity().name()).isEqualTo("anna");
              assertThat(known.identity().subject()).isEqualTo("of-anna");
              assertThat(known.identity().groups())
                  .containsExactly(
                      "cn=staff,ou=groups,dc=example,dc=org",
                      "cn=storage,ou=groups,dc=example,dc=org");
            });
  }

  @Test
  void aDnTemplateNeedsNoSearch() {
    User template =
        new User("uid={name},ou=people,dc=example,dc=org", "", "(uid={name})", "", "uid");

    PasswordOutcome outcome =
        new LdapDirectory(settings(template, url())).check("ben", "secret-of-ben");

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Known.class,
            known ->
                assertThat(known.identity().subject())
                    .isEqualTo("uid=ben,ou=people,dc=example,dc=org"));
  }

  @Test
  void wrongPasswordsUnknownNamesAndEmptyPasswordsAreRefused() {
    LdapDirectory directory = directory();

    assertThat(directory.check("anna", "secret-of-ben")).isInstanceOf(Refused.class);
    assertThat(directory.check("nobody", "secret-of-ben")).isInstanceOf(Refused.class);
    assertThat(directory.check("anna", "")).isInstanceOf(Refused.class);
    assertThat(directory.check(" ", "secret-of-anna")).isInstanceOf(Refused.class);
  }

  @Test
  void aNameStaysOneValueOfFilterAndDn() {
    LdapDirectory searched = directory();
    LdapDirectory template =
        new LdapDirectory(
            settings(
                new User("uid={name},ou=people,dc=example,dc=org", "", "(uid={name})", "", ""),
                url()));

    for (String name :
        List.of(
            "*", "ann*", "x)(uid=anna", "anna)(|(uid=*", "anna,ou=people", "\\61nna", "anna\0")) {
      assertThat(searched.check(name, "secret-of-anna")).as(name).isInstanceOf(Refused.class);
      assertThat(template.check(name, "secret-of-anna")).as(name).isInstanceOf(Refused.class);
    }
  }

  @Test
  void anAccountThatSearchesButIsRefusedIsAFailureOfTheDirectory() throws IOException {
    Files.writeString(folder.resolve("reader.password"), "wrong\n");

    assertThat(reason(directory().check("anna", "secret-of-anna")))
        .contains(url())
        .contains("invalid credentials")
        .contains("coppice.ldap.bind");
  }

  @Test
  void theNextServerIsAskedWhenOneCannotBeReached() throws IOException {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    LdapDirectory directory =
        new LdapDirectory(settings(searched(), "ldap://localhost:" + closed, url()));

    assertThat(directory.check("anna", "secret-of-anna")).isInstanceOf(Known.class);
    assertThat(directory.probe().get("ldap://localhost:" + closed))
        .contains("could not be reached");
    assertThat(directory.probe().get(url())).isEmpty();
  }

  @Test
  void aServerWithoutStartTlsGetsNoPassword() {
    LdapSettings plain = settings(searched(), url());
    LdapSettings encrypted =
        new LdapSettings(
            plain.servers(),
            false,
            "",
            plain.bind(),
            plain.user(),
            plain.group(),
            List.of(),
            SHORT,
            4);

    assertThat(reason(new LdapDirectory(encrypted).check("anna", "secret-of-anna")))
        .contains(url());
  }

  @Test
  void aServerThatHangsIsLeftInTimeAndHoldsNoThread() throws Exception {
    try (FalseServer hanging =
        FalseServer.start(socket -> socket.getInputStream().readAllBytes())) {
      LdapDirectory directory = new LdapDirectory(settings(searched(), hanging.url()));

      assertThat(reason(directory.check("anna", "secret-of-anna")))
          .contains(hanging.url())
          .contains("did not answer in 0.3 s");
      awaitNone(directory);
    }
  }

  @Test
  void aServerThatSendsAByteNowAndThenIsLeftInTimeAndHoldsNoThread() throws Exception {
    try (FalseServer slow =
        FalseServer.start(
            socket -> {
              OutputStream out = socket.getOutputStream();
              out.write(HexFormat.of().parseHex("3084000fffff"));
              while (true) {
                out.write(0);
                out.flush();
                TimeUnit.MILLISECONDS.sleep(50);
              }
            })) {
      LdapSettings settings = settings(searched(), slow.url());
      Waits waits =
          new Waits(
              Duration.ofMillis(500), Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ZERO);
      LdapDirectory directory =
          new LdapDirectory(
              new LdapSettings(
                  settings.servers(),
                  true,
                  "",
                  settings.bind(),
                  settings.user(),
                  settings.group(),
                  List.of(),
                  waits,
                  4));

      assertThat(reason(directory.check("anna", "secret-of-anna"))).contains(slow.url());
      awaitNone(directory);
    }
  }

  @Test
  void aServerThatBreaksOffOrSendsGarbageIsUnavailable() throws Exception {
    List<String> lies =
        List.of(
            "", "00", "ffffffffffff", "30847fffffff", "48545450", "3003020101", "300c02010161070a");
    for (String lie : lies) {
      try (FalseServer liar =
          FalseServer.start(
              socket -> {
                socket.getOutputStream().write(HexFormat.of().parseHex(lie));
                socket.getOutputStream().flush();
              })) {
        LdapDirectory directory = new LdapDirectory(settings(searched(), liar.url()));

        assertThat(reason(directory.check("anna", "secret-of-anna"))).as(lie).contains(liar.url());
        awaitNone(directory);
      }
    }
  }

  @Test
  void aSearchThatIsAnsweredWithAnEntryFromElsewhereIsNotBelieved() throws Exception {
    // The bind succeeds; the search is answered with the entry "", whose bind would be anonymous.
    byte[] bound = HexFormat.of().parseHex("300c02010161070a010004000400");
    byte[] entry = HexFormat.of().parseHex("3009020102640404003000");
    byte[] done = HexFormat.of().parseHex("300c02010265070a010004000400");
    try (FalseServer liar =
        FalseServer.start(
            socket -> {
              byte[] buffer = new byte[4096];
              assertThat(socket.getInputStream().read(buffer)).isPositive();
              socket.getOutputStream().write(bound);
              assertThat(socket.getInputStream().read(buffer)).isPositive();
              socket.getOutputStream().write(entry);
              socket.getOutputStream().write(done);
              socket.getInputStream().readAllBytes();
            })) {
      LdapDirectory directory = new LdapDirectory(settings(searched(), liar.url()));

      assertThat(reason(directory.check("anna", "secret-of-anna")))
          .contains("sent an entry from outside of dc=example,dc=org");
    }
  }

  @Test
  void settingsThatCannotWorkAreRefusedByTheirNames() {
    assertRefused(() -> settings(searched(), "http://localhost"), "coppice.ldap.servers");
    assertRefused(() -> settings(searched(), "ldaps://localhost:99999"), "coppice.ldap.servers");
    assertRefused(() -> new User("", "", "(uid=*)", "", ""), "coppice.ldap.user.filter");
    assertRefused(() -> new User("", "", "(uid={name}", "", ""), "coppice.ldap.user.filter");
    assertRefused(() -> new User("uid=anna", "", "(uid={name})", "", ""), "coppice.ldap.user.dn");
    assertRefused(() -> new User("", "people", "(uid={name})", "", ""), "coppice.ldap.user.base");
    assertRefused(() -> new Group("", "", "(cn=x)", 10), "coppice.ldap.group.filter");
    assertRefused(() -> new Group("", "", "(member={dn})", 0), "coppice.ldap.group.most");
    assertRefused(() -> new Bind("cn=reader", ""), "coppice.ldap.bind");
    assertRefused(
        () -> settings(new User("", "", "(uid={name})", "", ""), url()), "coppice.ldap.user");
  }

  private static void assertRefused(Runnable settings, String key) {
    assertThatThrownBy(settings::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key)
        .hasMessageContaining("expected");
  }

  private static String reason(PasswordOutcome outcome) {
    assertThat(outcome).isInstanceOf(Unavailable.class);
    return ((Unavailable) outcome).reason();
  }

  private static void awaitNone(LdapDirectory directory) throws InterruptedException {
    for (int i = 0; i < 500 && directory.underWay() > 0; i++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    assertThat(directory.underWay()).as("calls that go on").isZero();
  }

  /// A server that does what a test wants with each connection, and then closes it.
  private record FalseServer(ServerSocket listener) implements AutoCloseable {

    private interface Deed {
      void with(Socket socket) throws Exception;
    }

    static FalseServer start(Deed deed) throws IOException {
      ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
      Thread.ofVirtual()
          .start(
              () -> {
                while (!listener.isClosed()) {
                  try (Socket socket = listener.accept()) {
                    deed.with(socket);
                  } catch (Exception e) {
                    continue; // the client has gone, or the test is over
                  }
                }
              });
      return new FalseServer(listener);
    }

    String url() {
      return "ldap://localhost:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }
}
