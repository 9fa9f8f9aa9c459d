package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.VasaClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The hand-written requests of `docs/wire`, as they stand, sent to a running service: each is
/// understood in a session, and worth nothing without one.
class GoldenMessagesIT {

  /// What a service says that could not read a request.
  private static final List<String> NOT_UNDERSTOOD =
      List.of(
          "Unmarshalling",
          "was not recognized",
          "Message part",
          "not be parsed",
          "VersionMismatch",
          "InvalidSession");

  /// Operations that open a session or come before there can be one.
  private static final Set<String> WITHOUT_SESSION =
      Set.of(
          "setContext",
          "requestCSR",
          "registerVASACertificate",
          "registerCACertificatesAndCRLs",
          "registerCASignedProviderCertificate",
          "unregisterVASACertificate");

  /// Its request brings another root, so it ends the session. It comes last.
  private static final String LAST = "refreshCACertificatesAndCRLs";

  @TempDir private Path folder;

  @Test
  void everyGoldenRequestIsUnderstoodByTheRunningService() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (RunningProvider provider = RunningProvider.start(folder);
        RegisteredSite site = new RegisteredSite(provider, ClientOptions.defaults())) {
      List<Path> requests = requests();
      assertThat(requests).hasSizeGreaterThanOrEqualTo(22 + 74 + 11);
      VasaClient client2 = site.host().client();
      String session = Objects.requireNonNull(client2.session());
      VasaClient client1 = clientOfVersion1(site);
      for (Path request : requests) {
        VasaClient client = request.getParent().endsWith("1.0") ? client1 : client2;
        VasaClient.RawReply reply = send(client, request, null);
        if (WITHOUT_SESSION.contains(operation(request))) {
          judge(request, reply, wrong);
        } else {
          judgeWithoutSession(request, reply, wrong);
          judge(request, send(client, request, session), wrong);
        }
      }
    }

    assertThat(wrong).as("golden requests that were not understood").isEmpty();
  }

  private static VasaClient clientOfVersion1(RegisteredSite site) {
    return new VasaClient(
        site.vcenter().service().resolve("vasaService1"),
        "1.0",
        site.vcenter().trust().context(site.host().identity()),
        ClientOptions.defaults(),
        new CallLog());
  }

  private static VasaClient.RawReply send(VasaClient client, Path request, @Nullable String session)
      throws IOException {
    String operation = operation(request);
    byte[] body = Files.readAllBytes(request);
    Map<String, String> headers = new HashMap<>();
    if (new String(body, StandardCharsets.UTF_8).contains("2003/05/soap-envelope")) {
      headers.put(
          "Content-Type",
          "application/soap+xml; charset=UTF-8; action=\"urn:%s\"".formatted(operation));
    } else {
      headers.put("Content-Type", "text/xml; charset=UTF-8");
      headers.put("SOAPAction", "\"urn:" + operation + "\"");
    }
    if (session != null) {
      headers.put("Cookie", "VASASESSIONID=" + session);
    }
    return client.post(body, headers);
  }

  private static void judgeWithoutSession(
      Path request, VasaClient.RawReply reply, List<String> wrong) {
    if (reply.status() != 500 || !reply.text().contains("InvalidSession")) {
      wrong.add(
          "%s without a session: HTTP %d %s"
              .formatted(request.getFileName(), reply.status(), reply.text()));
    }
  }

  private static void judge(Path request, VasaClient.RawReply reply, List<String> wrong) {
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
    List<Path> requests = new ArrayList<>();
    for (String version : List.of(".", "1.0", "3.0")) {
      try (Stream<Path> files = Files.list(folder.resolve("docs/wire").resolve(version))) {
        files
            .filter(file -> file.getFileName().toString().contains(".request"))
            .forEach(requests::add);
      }
    }
    requests.sort(
        Comparator.comparing((Path file) -> operation(file).equals(LAST))
            .thenComparing(Path::getFileName));
    return requests;
  }

  private static String operation(Path request) {
    String name = request.getFileName().toString();
    return name.substring(0, name.indexOf('.'));
  }
}
