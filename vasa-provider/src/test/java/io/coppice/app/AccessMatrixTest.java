package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.session.TrustSet;
import io.coppice.vasa.session.TrustSets;
import io.coppice.wsdl.replication.VasaReplicationPortType;
import io.coppice.wsdl.service.VasaServicePortType;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Access matrix, who may call what: every operation, with right arguments about what the first
/// registration has, by every kind of caller. The table in `docs/conformance.md` is what a running
/// provider answers.
class AccessMatrixTest {

  private static final String HEADING = "## Who may call what";
  private static final String ANSWERED = "answered";

  /// First cell of the row for all operations that no other row names.
  private static final String OTHERS = "every other operation";

  private static final Duration YEAR = Duration.ofDays(365);

  /// Where registrations come from, whose window is open for the whole test.
  private static final String REGISTERING = "127.0.0.1";

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static final Issuer first = Issuer.create("first", Instant.now(), YEAR);
  private static final Issuer second = Issuer.create("second", Instant.now(), YEAR);
  private static final Issuer stranger = Issuer.create("stranger", Instant.now(), YEAR);

  private static final String V1 = "http://com.vmware.vim.vasa/1.0/xsd";
  private static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";

  /// Operations that change who is registered, and what a registration's window is for.
  private static final Set<String> CHANGING =
      Set.of(
          "registerVASACertificate",
          "registerCACertificatesAndCRLs",
          "registerCASignedProviderCertificate",
          "requestCSR",
          "setContext",
          "unregisterVASACertificate");

  private static RightArguments arguments;
  private static RightArguments limited;
  private static int callers;

  /// A kind of caller.
  ///
  /// @param heading of its column
  /// @param authority that it trusts
  /// @param certificate null for none
  /// @param context of its session; null for none
  /// @param offered whether it is offered the container that the arguments are about
  private record Kind(
      String heading,
      Issuer authority,
      @Nullable ServedCertificate certificate,
      @Nullable String context,
      boolean offered) {

    Kind(
        String heading,
        Issuer authority,
        @Nullable ServedCertificate certificate,
        @Nullable String context) {
      this(heading, authority, certificate, context, true);
    }

    Kind notOffered(String name) {
      return new Kind(name, authority, certificate, context, false);
    }

    boolean isRegistering() {
      return heading.equals("renewal window");
    }
  }

  private static final Kind HOST = new Kind("host", first, of(first, "esx1.test"), host("host-a"));
  private static final Kind SECOND_HOST =
      new Kind("second host", first, of(first, "esx2.test"), host("host-c"));
  private static final Kind FOREIGN_HOST =
      new Kind("host of another set", second, of(second, "esx1.test"), host("host-b"));
  private static final Kind VCENTER =
      new Kind("vCenter", first, of(first, "vcenter.test"), vcenter("vc-a"));
  private static final Kind FOREIGN_VCENTER =
      new Kind("vCenter of another set", second, of(second, "vcenter.test"), vcenter("vc-b"));

  private static final List<Kind> KINDS =
      List.of(
          new Kind("nobody", first, null, null),
          new Kind("unknown certificate", first, of(stranger, "stranger.test"), null),
          HOST,
          FOREIGN_HOST,
          FOREIGN_HOST.notOffered("host not offered"),
          VCENTER,
          FOREIGN_VCENTER,
          FOREIGN_VCENTER.notOffered("vCenter not offered"),
          new Kind("renewal window", first, null, null));

  private static ServedCertificate of(Issuer issuer, String name) {
    return issuer.issue(List.of(name), Instant.now(), YEAR);
  }

  private static String host(String guid) {
    return "<d:hostGuid>%s</d:hostGuid><d:hostInitiator><d:iscsiIdentifier>iqn.2026-11.test:%s</d:iscsiIdentifier></d:hostInitiator>"
        .formatted(guid, guid);
  }

  private static String vcenter(String guid) {
    return "<d:vcGuid>" + guid + "</d:vcGuid>";
  }

  @BeforeAll
  static void prepare() throws Exception {
    register();
    arguments = new RightArguments(provider.get(), "all", "host-a", "iqn.2026-11.test:host-a");
    limited = new RightArguments(provider.get(), "limited", "host-a", "iqn.2026-11.test:host-a");
    limit();
  }

  /// A container of its own for the first registration, of which there is a new one where a call
  /// has ended the one before.
  private static void limit() {
    String root = Pem.fingerprint(first.served().leaf());
    Set<UUID> registrations =
        provider.get().bean(TrustSets.class).all().stream()
            .filter(set -> set.roots().stream().map(Pem::fingerprint).anyMatch(root::equals))
            .map(TrustSet::id)
            .collect(Collectors.toSet());
    provider.get().bean(Containers.class).limit(limited.container(), registrations);
  }

  /// The second set first: the window is that of the last registration from an address.
  private static void register() throws Exception {
    for (Issuer authority : List.of(second, first)) {
      Reply registered =
          new VasaClient(provider.get().vasaPort(), null, REGISTERING)
              .register(
                  provider.get().password(), List.of(Pem.of(authority.served().leaf())), List.of());
      assertThat(registered.status()).as(registered.text()).isEqualTo(200);
    }
  }

  @Test
  void theTableIsWhatARunningProviderAnswers() throws Exception {
    Map<String, List<String>> answers = new TreeMap<>();
    for (String operation : operations()) {
      List<String> row = new ArrayList<>();
      RightArguments.Hosts hosts = hosts();
      for (Kind kind : KINDS) {
        row.add(answer(operation, kind, VasaClient.SERVICE, hosts));
      }
      answers.put(operation, row);
      register(); // what the operation may have ended
      limit();
    }

    assertThat(String.join("\n", documentedTable()))
        .as("the table below '%s', which is right as it is expected here", HEADING)
        .isEqualTo(table(answers));
  }

  /// 1.0 has no hosts: whoever opens a session there is a vCenter.
  @Test
  void version1AnswersAsTheTableSays() throws Exception {
    Map<String, List<String>> table = documented();
    for (Method operation :
        io.coppice.wsdl.v1.service.VasaServicePortType.class.getDeclaredMethods()) {
      String name = operation.getName();
      List<String> row = table.getOrDefault(name, table.get(OTHERS));
      RightArguments.Hosts hosts = hosts();
      for (int i = 0; i < KINDS.size(); i++) {
        Kind kind = KINDS.get(i);
        boolean host = kind.heading().startsWith("host");
        assertThat(answer(name, kind, V1, hosts))
            .as(name + " by " + kind.heading())
            .isEqualTo(name.equals("setContext") && host ? "InvalidArgument" : row.get(i));
      }
      register(); // what the operation may have ended
      limit();
    }
  }

  private static List<String> operations() {
    return Stream.of(VasaServicePortType.class, VasaReplicationPortType.class)
        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
        .map(Method::getName)
        .sorted()
        .toList();
  }

  /// @param version namespace of the request
  /// @param hosts whose sessions are used up to the next operation
  private static String answer(
      String operation, Kind kind, String version, RightArguments.Hosts hosts) throws Exception {
    if (CHANGING.contains(operation)) {
      register();
    }
    VasaClient caller = open(kind);
    String sent =
        switch (operation) {
          case "setContext" -> WireArguments.element("usageContext", context(kind));
          case "unregisterVASACertificate" ->
              WireArguments.element("existingCertificate", pem(kind.authority()));
          case "refreshCACertificatesAndCRLs" ->
              WireArguments.element("caRootCert", pem(kind.authority()));
          case "registerCASignedProviderCertificate" ->
              WireArguments.element("providerCert", signed(kind, caller))
                  + WireArguments.element("forceApply", "true");
          default -> (kind.offered() ? arguments : limited).of(operation, hosts);
        };
    String body =
        RightArguments.WITHOUT.contains(operation) ? "" : WireArguments.element(operation, sent);
    if (version.equals(V1)) {
      caller.useService("/vasa/services/vasaService1");
    }
    Reply reply =
        caller.send(
            VasaClient.envelope(body).replace(VasaClient.SERVICE, version), "urn:" + operation);
    return reply.status() == 200 ? item(reply) : reply.fault();
  }

  /// The fault that the one item of a batch has.
  private static String item(Reply reply) {
    for (String name : List.of("error", "fault")) {
      NodeList found = reply.document().getElementsByTagNameNS("*", name);
      for (int i = 0; i < found.getLength(); i++) {
        String type = ((Element) found.item(i)).getAttributeNS(XSI, "type");
        if (!type.isEmpty()) {
          return type.substring(type.indexOf(':') + 1);
        }
      }
    }
    return ANSWERED;
  }

  private static RightArguments.Hosts hosts() throws Exception {
    return new RightArguments.Hosts(open(HOST), open(SECOND_HOST), "host-c");
  }

  /// A client of that kind with its session, from an address of its own: registrations that the
  /// calls themselves make open no window for others.
  private static VasaClient open(Kind kind) throws Exception {
    int number = callers++;
    String address =
        kind.isRegistering()
            ? REGISTERING
            : "127.0.%d.%d".formatted(1 + number / 200, 1 + number % 200);
    var client = new VasaClient(provider.get().vasaPort(), kind.certificate(), address);
    if (kind.context() != null) {
      Reply opened = client.open(kind.context());
      assertThat(opened.status()).as(kind + ": " + opened.text()).isEqualTo(200);
      arguments.prepareSession(client);
    }
    return client;
  }

  private static String context(Kind kind) {
    return kind.context() == null ? vcenter("vc-x") : kind.context();
  }

  private static String pem(Issuer authority) {
    return Pem.of(authority.served().leaf());
  }

  /// A certificate for the caller's own request, by its own authority; for that of the first
  /// registration's vCenter where the caller may not make one.
  private static String signed(Kind kind, VasaClient caller) throws Exception {
    Reply own = caller.callEmpty("requestCSR");
    Reply asked = own.status() == 200 ? own : open(VCENTER).callEmpty("requestCSR");
    return SharedProvider.sign(kind.authority(), asked.value("return"));
  }

  /// The rows of the document's table, by operation; the last one by [#OTHERS].
  private static Map<String, List<String>> documented() throws IOException {
    Map<String, List<String>> rows = new TreeMap<>();
    for (String line : documentedTable().subList(2, documentedTable().size())) {
      List<String> cells = cells(line);
      for (String operation : cells.getFirst().replace("`", "").split(", ", -1)) {
        assertThat(rows.put(operation, cells.subList(1, cells.size()))).as(operation).isNull();
      }
    }
    return rows;
  }

  /// The first table below the heading, with its head.
  private static List<String> documentedTable() throws IOException {
    List<String> lines = Files.readAllLines(document());
    int heading = lines.indexOf(HEADING);
    assertThat(heading).as(HEADING).isNotNegative();
    return lines.subList(heading + 1, lines.size()).stream()
        .takeWhile(line -> !line.startsWith("#"))
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .toList();
  }

  private static List<String> cells(String line) {
    String inside = line.strip().substring(1, line.strip().length() - 1);
    return Stream.of(inside.split("\\|", -1)).map(String::strip).toList();
  }

  /// A row for each group of operations that answer alike, and the largest group last.
  private static String table(Map<String, List<String>> answers) {
    Map<List<String>, List<String>> groups = new LinkedHashMap<>();
    answers.forEach(
        (operation, row) -> groups.computeIfAbsent(row, _ -> new ArrayList<>()).add(operation));
    List<String> largest =
        groups.entrySet().stream()
            .max(Comparator.comparingInt(group -> group.getValue().size()))
            .orElseThrow()
            .getKey();
    List<String> lines = new ArrayList<>();
    lines.add(row("Operation", KINDS.stream().map(Kind::heading).toList()));
    lines.add("|" + "---|".repeat(KINDS.size() + 1));
    groups.forEach(
        (row, operations) -> {
          if (!row.equals(largest)) {
            lines.add(row("`" + String.join("`, `", operations) + "`", row));
          }
        });
    lines.add(row(OTHERS, largest));
    return String.join("\n", lines);
  }

  private static String row(String first, List<String> others) {
    return "| %s | %s |".formatted(first, String.join(" | ", others));
  }

  private static Path document() {
    Path beside = Path.of("docs/conformance.md");
    return Files.exists(beside) ? beside : Path.of("../docs/conformance.md");
  }
}
