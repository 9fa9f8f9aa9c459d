package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.VasaClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The hand-written requests of `docs/wire`, as they stand, sent to a running service: each is
/// understood.
class GoldenMessagesIT {

  /// What a service says that could not read a request.
  private static final List<String> NOT_UNDERSTOOD =
      List.of(
          "Unmarshalling",
          "was not recognized",
          "Message part",
          "not be parsed",
          "VersionMismatch");

  /// Requests that end the session of those after them come last.
  private static final List<String> LAST =
      List.of(
          "setContext",
          "registerVASACertificate",
          "registerCACertificatesAndCRLs",
          "registerCASignedProviderCertificate",
          "refreshCACertificatesAndCRLs",
          "unregisterVASACertificate");

  @TempDir private Path folder;

  @Test
  void everyGoldenRequestIsUnderstoodByTheRunningService() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (RunningProvider provider = RunningProvider.start(folder);
        RegisteredSite site = new RegisteredSite(provider, ClientOptions.defaults())) {
      List<Path> requests = requests();
      assertThat(requests).hasSizeGreaterThanOrEqualTo(74);
      for (Path request : requests) {
        judge(site.host().client(), request, wrong);
      }
    }

    assertThat(wrong).as("golden requests that were not understood").isEmpty();
  }

  private static void judge(VasaClient client, Path request, List<String> wrong)
      throws IOException {
    String operation = operation(request);
    byte[] body = Files.readAllBytes(request);
    boolean soap12 =
        new String(body, java.nio.charset.StandardCharsets.UTF_8).contains("2003/05/soap-envelope");
    VasaClient.RawReply reply =
        client.post(
            body,
            soap12
                ? Map.of(
                    "Content-Type",
                    "application/soap+xml; charset=UTF-8; action=\"urn:%s\"".formatted(operation))
                : Map.of(
                    "Content-Type",
                    "text/xml; charset=UTF-8",
                    "SOAPAction",
                    "\"urn:" + operation + "\""));
    String text = reply.text();
    boolean answered = reply.status() == 200 && text.contains("Body");
    boolean typedFault =
        reply.status() == 500
            && (text.contains("<detail") || text.contains(":Detail") || text.contains(":detail"))
            && NOT_UNDERSTOOD.stream().noneMatch(text::contains);
    if (!answered && !typedFault) {
      wrong.add("%s: HTTP %d %s".formatted(request.getFileName(), reply.status(), text));
    }
  }

  private static List<Path> requests() throws IOException {
    Path folder = Path.of(System.getProperty("coppice.jar")).getParent().getParent().getParent();
    try (Stream<Path> files = Files.list(folder.resolve("docs/wire"))) {
      return files
          .filter(file -> file.getFileName().toString().contains(".request"))
          .sorted(
              java.util.Comparator.comparing((Path file) -> LAST.indexOf(operation(file)))
                  .thenComparing(Path::getFileName))
          .toList();
    }
  }

  private static String operation(Path request) {
    String name = request.getFileName().toString();
    return name.substring(0, name.indexOf('.'));
  }
}
