package io.coppice.replication.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Certificates that sign themselves, made by the JDK's keytool.
public final class Certificates {

  private static final String PASSWORD = "changeit";

  private final KeyStore keys;

  /// A key and its certificate: new ones, unless their file is there.
  ///
  /// @param directory of the file
  public Certificates(Path directory, String name) throws Exception {
    Path file = directory.resolve(name + ".p12");
    if (!Files.exists(file)) {
      make(file, name);
    }
    keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
  }

  private static void make(Path file, String name) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + output);
    }
  }

  /// A context with this key, which trusts another certificate.
  public SSLContext trusting(Certificates other) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    String alias = other.keys.aliases().nextElement();
    trusted.setCertificateEntry(alias, other.keys.getCertificate(alias));
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD.toCharArray());
    TrustManagerFactory theirs = TrustManagerFactory.getInstance("PKIX");
    theirs.init(trusted);
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    context.init(own.getKeyManagers(), theirs.getTrustManagers(), null);
    return context;
  }
}
