package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.setting.Home;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// The support bundle that a whole provider makes of itself.
@Timeout(300)
class BundleFromInsideTest {

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  @TempDir private Path folder;

  @Test
  void itIsWholeWithWhatTheProviderKnowsAndWithoutASecretOfItsHome() throws Exception {
    Path home = provider.get().home();
    String token = Home.secret(home.resolve("admin.token"));
    Files.createDirectories(home.resolve("log"));
    Files.writeString(
        home.resolve("log/postgres.log.1"),
        "somebody logged " + token + "\npassword=PLANT-1\na line that is kept\n");

    Map<String, String> content = content(bundle(token));

    assertThat(content.keySet())
        .contains("version.txt", "settings.txt", "check.txt", "files.txt", "index.txt")
        .contains("provider/system.json", "provider/verdict.json", "provider/metrics.txt")
        .contains("provider/volume-histories.jsonl", "provider/threads.txt", "log/postgres.log.1")
        .doesNotContain("doctor.txt");
    assertThat(content.get("index.txt"))
        .contains("doctor.txt  left out: the doctor looks from outside")
        .contains("provider/system.json  ");
    assertThat(content.get("provider/system.json")).contains("SERVING");
    assertThat(content.get("provider/threads.txt")).contains("\"audit\"");
    assertThat(content.get("check.txt")).startsWith("The pool is open, so the checker did not");
    assertThat(content.get("settings.txt")).contains("coppice.home: " + home);
    assertThat(content.get("log/postgres.log.1"))
        .contains("a line that is kept", "(redacted)")
        .doesNotContain("PLANT");
    String all = String.join("\n", content.values());
    assertThat(secrets(home))
        .hasSizeGreaterThan(5)
        .allSatisfy(one -> assertThat(all).doesNotContain(one));
    assertThat(LoggerFactory.getLogger(getClass()).isErrorEnabled())
        .as("the log of the provider goes on")
        .isTrue();
  }

  /// What is secret in the home: lines of passwords, tokens and keys. Certificates are not.
  private static List<String> secrets(Path home) throws IOException {
    List<String> secrets = new ArrayList<>();
    for (Path place : List.of(home, home.resolve("tls"))) {
      try (Stream<Path> files = Files.list(place)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String name = file.getFileName().toString();
          if (name.matches(".*\\.(password|token|key)")) {
            secrets.add(Files.readString(file).strip());
          } else if (name.endsWith(".pem")) {
            secrets.addAll(keysOf(Files.readString(file)));
          }
        }
      }
    }
    return secrets;
  }

  private static List<String> keysOf(String pem) {
    List<String> lines = new ArrayList<>();
    boolean key = false;
    for (String line : pem.lines().toList()) {
      if (line.startsWith("-----")) {
        key = line.contains("BEGIN") && line.contains("PRIVATE KEY");
      } else if (key) {
        lines.add(line.strip());
      }
    }
    return lines;
  }

  private static byte[] bundle(String token) throws Exception {
    HttpClient http = HttpClient.newBuilder().sslContext(VasaClient.context(null)).build();
    URI uri =
        URI.create(
            "https://127.0.0.1:%d/api/v1/support-bundle"
                .formatted(provider.get().managementPort()));
    HttpResponse<byte[]> answer =
        http.send(
            HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(answer.statusCode())
        .as(new String(answer.body(), StandardCharsets.UTF_8))
        .isEqualTo(200);
    return answer.body();
  }

  private Map<String, String> content(byte[] bundle) throws IOException {
    Path file = Files.write(folder.resolve("bundle.zip"), bundle);
    Map<String, String> content = new LinkedHashMap<>();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : zip.stream().map(ZipEntry.class::cast).toList()) {
        content.put(
            entry.getName(),
            new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return content;
  }
}
