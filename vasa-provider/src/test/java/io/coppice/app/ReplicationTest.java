package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// The replication operations of VASA 3.0 over TLS, of a provider without a partner.
class ReplicationTest {

  private static final String V3 = "http://com.vmware.vim.vasa/3.0/xsd";
  private static final String DEVICE_GROUP = "6a1d0c55-93b7-4e2f-8f44-0b7f6f1c2d10";
  private static final String ON_DEMAND = "FFFFFFFF-ffff-ffff-ffff-ffffffffffff";
  private static final String NO_GROUP = "";

  /// What each operation that changes groups is called with; `%s` stands for its groups.
  private static final Map<String, String> CHANGES =
      new TreeMap<>(
          Map.of(
              "syncReplicationGroup", "%s<ns:pitName>noon</ns:pitName>",
              "prepareFailoverReplicationGroup", "%s",
              "failoverReplicationGroup", failover("failoverParam"),
              "testFailoverReplicationGroupStart", failover("testFailoverParam"),
              "testFailoverReplicationGroupStop", "%s<ns:force>false</ns:force>",
              "promoteReplicationGroup",
                  "<ns:promoteParam><ns:isPlanned>true</ns:isPlanned>%s</ns:promoteParam>",
              "reverseReplicateGroup", "%s"));

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static VasaClient client;
  private static String domain;

  @BeforeAll
  static void register() throws Exception {
    provider.register();
    client = provider.client(provider.certificate("vcenter.test"));
    assertThat(client.openAsVcenter("a-vcenter").value("vasaApiVersion")).isEqualTo("3.0");
    domain = client.call("queryFaultDomain", "").value("id");
  }

  @Test
  void theOneFaultDomainIsThisProviderWithItsArray() throws Exception {
    String array = client.call("queryArrays", "").value("uniqueIdentifier");
    String uid = array.substring(array.indexOf(':') + 1);

    Reply all = client.call("queryFaultDomain", "");
    Reply own = client.call("queryFaultDomain", filter(uid));
    Reply others = client.call("queryFaultDomain", filter("another"));

    for (Reply reply : List.of(all, own)) {
      assertThat(reply.values("return")).hasSize(1);
      assertThat(reply.value("storageArrayId")).isEqualTo(array);
      assertThat(reply.value("provider")).isEqualTo(uid);
      assertThat(reply.value("name")).isEqualTo("Coppice");
    }
    assertThat(others.status()).isEqualTo(200);
    assertThat(others.values("return")).isEmpty();
  }

  @Test
  void thereIsNoPeerAndOtherFaultDomainsAreNotFound() throws Exception {
    Reply all = client.call("queryReplicationPeer", "");
    Reply asked =
        client.call(
            "queryReplicationPeer", domains(domain) + domains("elsewhere") + domains(domain));

    assertThat(all.values("sourceDomain")).containsExactly(domain);
    assertThat(all.values("targetDomain")).isEmpty();
    assertThat(all.values("error")).isEmpty();
    assertThat(asked.values("sourceDomain")).containsExactly(domain, "elsewhere", domain);
    assertThat(errors(asked)).containsExactly("NotFound", "DuplicateEntry");
    assertThat(client.call("queryReplicationPeer", domains(" ")).fault())
        .isEqualTo("InvalidArgument");
  }

  @Test
  void thereAreNoGroupsAndThoseAskedForAreNotFoundOneByOne() throws Exception {
    Reply all = client.call("queryReplicationGroup", "");
    String ids = group(domain, DEVICE_GROUP) + group("elsewhere", DEVICE_GROUP);
    Reply asked = client.call("queryReplicationGroup", ids + group(domain, DEVICE_GROUP));

    assertThat(all.status()).isEqualTo(200);
    assertThat(all.values("return")).isEmpty();
    assertThat(asked.values("faultDomainId")).containsExactly(domain, "elsewhere", domain);
    assertThat(errors(asked)).containsExactly("NotFound", "NotFound", "DuplicateEntry");
    assertThat(asked.text()).contains("GroupErrorResult");
  }

  @Test
  void replicasOfAGroupThatIsNotThereAreNotFound() throws Exception {
    String some = group(domain, DEVICE_GROUP);

    assertThat(errors(client.call("queryPointInTimeReplica", some))).containsExactly("NotFound");
    for (String span :
        List.of(
            "",
            "<ns:fromDate>2026-11-20T00:00:00Z</ns:fromDate><ns:number>3</ns:number>",
            "<ns:number>1</ns:number><ns:toDate>2026-11-20T00:00:00Z</ns:toDate>",
            "<ns:fromDate>2026-11-20T00:00:00Z</ns:fromDate>"
                + "<ns:toDate>2026-11-20T00:00:00Z</ns:toDate>")) {
      assertThat(errors(client.call("queryPointInTimeReplica", some + query(span))))
          .as(span)
          .containsExactly("NotFound");
    }
  }

  @Test
  void queriesOfReplicasThatContradictThemselvesAreRefused() throws Exception {
    String from = "<ns:fromDate>2026-11-20T00:00:00Z</ns:fromDate>";
    String to = "<ns:toDate>2026-11-19T00:00:00Z</ns:toDate>";
    for (String span :
        List.of(
            from,
            to,
            "<ns:number>1</ns:number>",
            from + "<ns:number>1</ns:number>" + to,
            from + to,
            from + "<ns:number>0</ns:number>",
            from + "<ns:number>-1</ns:number>")) {
      assertThat(
              client
                  .call("queryPointInTimeReplica", group(domain, DEVICE_GROUP) + query(span))
                  .fault())
          .as(span)
          .isEqualTo("InvalidArgument");
    }
  }

  @Test
  void namesThatAreNoExpressionsAreRefused() throws Exception {
    for (String param :
        List.of(
            "<ns:pitName>(</ns:pitName>",
            "<ns:pitName>" + "a".repeat(257) + "</ns:pitName>",
            "<ns:tags>daily</ns:tags><ns:tags>[</ns:tags>")) {
      Reply reply =
          client.call(
              "queryPointInTimeReplica",
              group(domain, DEVICE_GROUP) + "<ns:queryParam>" + param + "</ns:queryParam>");

      assertThat(reply.fault()).as(param).isEqualTo("InvalidArgument");
    }
  }

  @Test
  void changesFailForEachGroupByItself() throws Exception {
    String ids =
        group(domain, DEVICE_GROUP)
            + group("elsewhere", DEVICE_GROUP)
            + group(domain, ON_DEMAND)
            + group(domain, DEVICE_GROUP);
    for (String operation : CHANGES.keySet()) {
      Reply reply = client.call(operation, arguments(operation, ids));

      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      assertThat(reply.values("faultDomainId"))
          .as(operation)
          .containsExactly(domain, "elsewhere", domain, domain);
      assertThat(errors(reply))
          .as(operation)
          .containsExactly(
              "NotFound", "InvalidFunctionTarget", "NoReplicationTarget", "DuplicateEntry");
    }
  }

  @Test
  void callsWithoutAGroupOrWithHalfOfOneAreRefused() throws Exception {
    String noDomain =
        "<ns:groupId><ns:deviceGroupId><ns:id>x</ns:id></ns:deviceGroupId></ns:groupId>";
    for (String ids :
        List.of(NO_GROUP, "<ns:groupId/>", noDomain, group(" ", "x"), group(domain, ""))) {
      for (String operation : CHANGES.keySet()) {
        assertThat(client.call(operation, arguments(operation, ids)).fault())
            .as(operation + " of '" + ids + "'")
            .isEqualTo("InvalidArgument");
      }
      assertThat(client.call("queryPointInTimeReplica", ids).fault())
          .as(ids)
          .isEqualTo("InvalidArgument");
    }
    assertThat(client.call("queryReplicationGroup", noDomain).fault()).isEqualTo("InvalidArgument");
    for (String operation :
        List.of(
            "failoverReplicationGroup",
            "testFailoverReplicationGroupStart",
            "promoteReplicationGroup")) {
      assertThat(client.call(operation, "").fault()).as(operation).isEqualTo("InvalidArgument");
    }
    assertThat(client.call("syncReplicationGroup", group(domain, DEVICE_GROUP)).fault())
        .isEqualTo("InvalidArgument");
  }

  @Test
  void batchesThatAreTooLongSayHowLongTheyMayBe() throws Exception {
    String ids = group(domain, DEVICE_GROUP).repeat(257);
    for (String operation : CHANGES.keySet()) {
      Reply reply = client.call(operation, arguments(operation, ids));
      assertThat(reply.fault()).as(operation).isEqualTo("TooMany");
      assertThat(reply.value("maxBatchSize")).isEqualTo("256");
    }
    for (String query : List.of("queryReplicationGroup", "queryPointInTimeReplica")) {
      assertThat(client.call(query, ids).fault()).as(query).isEqualTo("TooMany");
    }
    assertThat(client.call("queryReplicationPeer", domains("x").repeat(257)).fault())
        .isEqualTo("TooMany");
  }

  @Test
  void withoutASessionNothingIsAnswered() throws Exception {
    var stranger = provider.client(null);
    for (String operation : CHANGES.keySet()) {
      assertThat(stranger.call(operation, "").fault()).as(operation).isEqualTo("InvalidSession");
    }
    for (String query :
        List.of(
            "queryFaultDomain",
            "queryReplicationPeer",
            "queryReplicationGroup",
            "queryPointInTimeReplica")) {
      assertThat(stranger.call(query, "").fault()).as(query).isEqualTo("InvalidSession");
    }
  }

  @Test
  void eachVersionIsAnsweredInItsNamespace() throws Exception {
    for (String operation : List.of("queryFaultDomain", "queryArrays", "queryReplicationGroup")) {
      String wrong = operation.equals("queryReplicationGroup") ? "<ns:groupId/>" : "";
      for (String namespace : List.of(VasaClient.SERVICE, V3)) {
        Reply reply = inNamespace(client, operation, namespace, wrong);

        assertThat(namespaceOf(reply)).as(operation).isEqualTo(namespace);
      }
    }
  }

  @Test
  void typesInValuesAreReadInTheNamespaceOfTheRequest() throws Exception {
    String device =
        """
        <ns:policyAssociations><ns:datastore>d</ns:datastore>
        <ns:id xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ns:%s">%s</ns:id>
        <ns:policyId>p</ns:policyId></ns:policyAssociations>
        """;
    String vvol = "<ns:id>rfc4122.9d0c3e5b-1f62-4a8d-8b1e-5c7f2d9e4b02</ns:id>";
    String groups =
        "<ns:replicationGroupsToFailover>%s</ns:replicationGroupsToFailover>"
            .formatted(group(domain, DEVICE_GROUP));
    String param =
        "<ns:failoverParam><ns:checkOnly>true</ns:checkOnly><ns:isPlanned>false</ns:isPlanned>"
            + "%s%s</ns:failoverParam>";
    for (String namespace : List.of(VasaClient.SERVICE, V3)) {
      Reply read =
          inNamespace(
              client,
              "failoverReplicationGroup",
              namespace,
              param.formatted(device.formatted("VVolId", vvol), groups));
      Reply bare =
          inNamespace(
              client,
              "failoverReplicationGroup",
              namespace,
              param.formatted(device.formatted("DeviceId", ""), groups));

      assertThat(errors(read)).as(read.text()).containsExactly("NotFound");
      assertThat(bare.fault()).as(bare.text()).isEqualTo("InvalidArgument");
    }
  }

  @Test
  void namespaceAndVersionAreSetInOnePlaceAndOneSettingTurnsThemOff(@TempDir Path other)
      throws Exception {
    String own = "urn:vasa:three";
    try (TestProvider renamed =
        TestProvider.start(
            other.resolve("renamed"),
            "--coppice.vasa.version-3.version=version4",
            "--coppice.vasa.version-3.namespace=" + own)) {
      renamed.ready();
      var stranger = new VasaClient(renamed.vasaPort(), null);

      assertThat(stranger.get("/vasa/version.xml").body())
          .contains("id=\"2.0\"", "id=\"version4\"")
          .doesNotContain("3.0");
      Reply reply = inNamespace(stranger, "queryFaultDomain", own, "");
      assertThat(reply.fault()).isEqualTo("InvalidSession");
      assertThat(reply.text()).contains(own).doesNotContain(V3);
    }
    try (TestProvider without =
        TestProvider.start(other.resolve("off"), "--coppice.vasa.version-3.offered=false")) {
      without.ready();
      var stranger = new VasaClient(without.vasaPort(), null);

      assertThat(stranger.get("/vasa/version.xml").body())
          .contains("id=\"2.0\"")
          .doesNotContain("3.0", "{");
      for (String namespace : List.of(VasaClient.SERVICE, V3)) {
        Reply reply = inNamespace(stranger, "queryFaultDomain", namespace, "");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.fault()).as("a fault without a type").isEmpty();
      }
      assertThat(stranger.call("queryArrays", "").fault()).isEqualTo("InvalidSession");
      assertThat(inNamespace(stranger, "queryArrays", V3, "").fault()).isEmpty();
    }
  }

  private static Reply inNamespace(
      VasaClient client, String operation, String namespace, String arguments) throws Exception {
    String body = "<ns:%s>%s</ns:%s>".formatted(operation, arguments, operation);
    return client.send(
        VasaClient.envelope(body).replace(VasaClient.SERVICE, namespace), "urn:" + operation);
  }

  /// The namespace of the reply's wrapper, or of the one in a fault's detail.
  private static String namespaceOf(Reply reply) {
    NodeList details = reply.document().getElementsByTagNameNS("*", "detail");
    NodeList bodies = reply.document().getElementsByTagNameNS("*", "Body");
    Element parent = (Element) (details.getLength() > 0 ? details.item(0) : bodies.item(0));
    return ((Element) parent.getFirstChild()).getNamespaceURI();
  }

  /// The types of the reply's errors.
  private static List<String> errors(Reply reply) {
    NodeList errors = reply.document().getElementsByTagNameNS("*", "error");
    return IntStream.range(0, errors.getLength())
        .mapToObj(n -> (Element) errors.item(n))
        .map(e -> e.getAttributeNS("http://www.w3.org/2001/XMLSchema-instance", "type"))
        .map(type -> type.substring(type.indexOf(':') + 1))
        .toList();
  }

  /// The groups in the elements that the operation has for them.
  private static String arguments(String operation, String ids) {
    String named =
        switch (operation) {
          case "failoverReplicationGroup", "testFailoverReplicationGroupStart" ->
              ids.replace("<ns:groupId", "<ns:replicationGroupsToFailover><ns:groupId")
                  .replace("</ns:groupId>", "</ns:groupId></ns:replicationGroupsToFailover>")
                  .replace("<ns:groupId/>", "<ns:groupId/></ns:replicationGroupsToFailover>");
          case "promoteReplicationGroup" -> ids.replace("groupId", "replicationGroupsToPromote");
          default -> ids;
        };
    return CHANGES.get(operation).formatted(named);
  }

  private static String failover(String param) {
    return "<ns:%1$s><ns:checkOnly>false</ns:checkOnly><ns:isPlanned>true</ns:isPlanned>"
            .formatted(param)
        + "%s</ns:"
        + param
        + ">";
  }

  private static String group(String faultDomain, String deviceGroup) {
    return "<ns:groupId><ns:deviceGroupId><ns:id>%s</ns:id></ns:deviceGroupId>"
            .formatted(deviceGroup)
        + "<ns:faultDomainId><ns:id>%s</ns:id></ns:faultDomainId></ns:groupId>"
            .formatted(faultDomain);
  }

  private static String domains(String id) {
    return "<ns:faultDomainId><ns:id>%s</ns:id></ns:faultDomainId>".formatted(id);
  }

  private static String filter(String provider) {
    return "<ns:filter><ns:providerId>%s</ns:providerId></ns:filter>".formatted(provider);
  }

  private static String query(String span) {
    return "<ns:queryParam><ns:pitName>.*</ns:pitName><ns:replicaTimeQueryParam>"
        + span
        + "</ns:replicaTimeQueryParam></ns:queryParam>";
  }
}
