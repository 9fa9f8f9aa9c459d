package io.coppice.it;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldif.LDIFException;
import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.Identity;
import io.coppice.driver.pki.Pem;
import io.coppice.harness.Commands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// An OpenLDAP server of this machine on free ports of two loopback addresses, of which its
/// certificate has only the first, with a database in a test's folder: people `anna` and `ben`, the
/// group `storage` with `anna`, and the account `cn=reader` that may search.
final class SlapdProcess implements AutoCloseable {

  static final String SUFFIX = "dc=example,dc=org";
  static final String READER = "cn=reader," + SUFFIX;
  static final String READER_PASSWORD = "reads-the-directory";
  static final String STORAGE = "cn=storage,ou=groups," + SUFFIX;

  private static final String ROOT = "cn=root," + SUFFIX;
  private static final String ROOT_PASSWORD = "writes-the-directory";
  private static final Path SCHEMAS = Path.of("/etc/ldap/schema");
  private static final Path MODULES = Path.of("/usr/lib/ldap");
  private static final int PATIENCE_SECONDS = 30;

  private final Process process;
  private final Path folder;
  private final int port;
  private final int tlsPort;

  private SlapdProcess(Process process, Path folder, int port, int tlsPort) {
    this.process = process;
    this.folder = folder;
    this.port = port;
    this.tlsPort = tlsPort;
  }

  /// Whether the server is installed (package `slapd`).
  static boolean exists() {
    return Commands.exists("slapd") && Files.isDirectory(SCHEMAS) && Files.isDirectory(MODULES);
  }

  /// @param folder empty; gets the configuration, the database, `ca.crt` and `reader.password`
  static SlapdProcess start(Path folder) throws IOException, LDAPException {
    Files.createDirectories(folder.resolve("data"));
    certificates(folder);
    Files.writeString(folder.resolve("reader.password"), READER_PASSWORD + "\n");
    Files.writeString(folder.resolve("slapd.conf"), configuration(folder));
    int port = freePort();
    int tlsPort = freePort();
    Process process =
        new ProcessBuilder(
                Commands.path("slapd"),
                "-d",
                "0",
                "-f",
                folder.resolve("slapd.conf").toString(),
                "-h",
                "ldap://127.0.0.1:%1$d ldap://127.0.0.2:%1$d ldaps://127.0.0.1:%2$d ldaps://127.0.0.2:%2$d"
                    .formatted(port, tlsPort))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("slapd.log").toFile())
            .start();
    SlapdProcess server = new SlapdProcess(process, folder, port, tlsPort);
    boolean filled = false;
    try {
      server.fill();
      filled = true;
      return server;
    } finally {
      if (!filled) {
        server.close();
      }
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void certificates(Path folder) throws IOException {
    CertificateAuthority authority = CertificateAuthority.create("authority of the directory");
    Identity server = authority.issueServer("localhost", "127.0.0.1");
    Files.writeString(folder.resolve("ca.crt"), authority.certificatePem());
    Files.writeString(folder.resolve("server.crt"), Pem.encode(server.certificate()));
    Files.writeString(
        folder.resolve("server.key"), Pem.encode("PRIVATE KEY", server.key().getEncoded()));
    Files.writeString(
        folder.resolve("other-ca.crt"),
        CertificateAuthority.create("another authority").certificatePem());
  }

  private static String configuration(Path folder) {
    return """
    include %1$s/core.schema
    include %1$s/cosine.schema
    include %1$s/inetorgperson.schema
    pidfile %3$s/slapd.pid
    argsfile %3$s/slapd.args
    modulepath %2$s
    moduleload back_mdb
    moduleload memberof
    TLSCACertificateFile %3$s/ca.crt
    TLSCertificateFile %3$s/server.crt
    TLSCertificateKeyFile %3$s/server.key
    database mdb
    maxsize 16777216
    suffix "%4$s"
    rootdn "%5$s"
    rootpw %6$s
    directory %3$s/data
    overlay memberof
    access to attrs=userPassword by anonymous auth by * none
    access to * by dn.exact="%7$s" read by anonymous auth by * none
    """
        .formatted(SCHEMAS, MODULES, folder, SUFFIX, ROOT, ROOT_PASSWORD, READER);
  }

  private void fill() throws LDAPException {
    try (LDAPConnection root = connect()) {
      root.bind(ROOT, ROOT_PASSWORD);
      add(
          root,
          SUFFIX,
          "objectClass: dcObject",
          "objectClass: organization",
          "o: x",
          "dc: example");
      add(root, "ou=people," + SUFFIX, "objectClass: organizationalUnit");
      add(root, "ou=groups," + SUFFIX, "objectClass: organizationalUnit");
      add(
          root,
          READER,
          "objectClass: organizationalRole",
          "objectClass: simpleSecurityObject",
          "userPassword: " + READER_PASSWORD);
      person(root, "anna");
      person(root, "ben");
      add(root, STORAGE, "objectClass: groupOfNames", "member: " + dn("anna"));
    }
  }

  /// The password of a person.
  static String passwordOf(String name) {
    return "password-of-" + name;
  }

  static String dn(String name) {
    return "uid=%s,ou=people,%s".formatted(name, SUFFIX);
  }

  private static void person(LDAPConnection root, String name) throws LDAPException {
    add(
        root,
        dn(name),
        "objectClass: inetOrgPerson",
        "cn: " + name,
        "sn: " + name,
        "userPassword: " + passwordOf(name));
  }

  private static void add(LDAPConnection root, String dn, String... attributes)
      throws LDAPException {
    String[] lines = new String[attributes.length + 1];
    lines[0] = "dn: " + dn;
    System.arraycopy(attributes, 0, lines, 1, attributes.length);
    try {
      root.add(lines);
    } catch (LDIFException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private LDAPConnection connect() throws LDAPException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      try {
        return new LDAPConnection("127.0.0.1", port);
      } catch (LDAPException e) {
        if (System.nanoTime() > end || !process.isAlive()) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  /// Removes a person.
  void remove(String name) throws LDAPException {
    try (LDAPConnection root = connect()) {
      root.bind(ROOT, ROOT_PASSWORD);
      root.delete(dn(name));
    }
  }

  String url() {
    return "ldap://localhost:" + port;
  }

  String tlsUrl() {
    return "ldaps://localhost:" + tlsPort;
  }

  String file(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
