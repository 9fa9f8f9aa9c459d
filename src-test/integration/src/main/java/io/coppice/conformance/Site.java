package io.coppice.conformance;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.vcenter.VCenter;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/// Four logical units of a running provider: a plain one, a bound vVol behind its endpoint, a plain
/// one with digests, and a plain one whose initiators must prove themselves.
final class Site implements AutoCloseable {

  /// As much as one WRITE SAME may write, because the suite asks for one to the end of the unit.
  private static final long SIZE_MIB = 16;

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final String PREFIX = "iqn.2026-11.io.coppice.conformance:";
  private static final String SECRET = "twelve-and-more";

  /// The number that the suite calls a subsidiary unit.
  private static final int OWN_NUMBER = 1;

  private final ProviderProcess provider;
  private final RestClient rest;
  private final String container;
  private final VCenter vcenter;
  private final CallLog calls = new CallLog();
  private final List<EsxiHost> hosts = new ArrayList<>();
  private final List<PduProxy> proxies = new ArrayList<>();

  Site(ProviderProcess provider) {
    this.provider = provider;
    this.rest = new RestClient(provider.management(), provider.adminToken());
    this.container =
        rest.post("containers", "{\"name\": \"suite\", \"quota\": %d}".formatted(1L << 40))
            .get("id")
            .asString();
    this.vcenter = new VCenter("vcenter.conformance", ClientOptions.defaults(), calls);
  }

  Subject plain() {
    String initiator = PREFIX + "plain";
    String unit = export("plain", initiator);
    return new Subject("plain LUN", url("", provider.portal().getPort(), unit), initiator);
  }

  Subject withDigests() {
    String initiator = PREFIX + "digests";
    String unit = export("digests", initiator);
    PduProxy proxy = PduProxy.start(provider.portal(), PduRewriting.withDigests());
    proxies.add(proxy);
    return new Subject("plain LUN, both digests", url("", proxy.port(), unit), initiator);
  }

  Subject withChap() {
    String initiator = PREFIX + "chap";
    String unit = export("chap", initiator);
    for (String name : both(initiator)) {
      rest.put("initiators/%s/chap".formatted(name), "{\"secret\": \"%s\"}".formatted(SECRET));
    }
    String user = "suite%" + SECRET + "@";
    return new Subject("plain LUN, CHAP", url(user, provider.portal().getPort(), unit), initiator);
  }

  /// A vVol bound by two hosts, one for each path of the suite.
  Subject subsidiary() {
    register();
    String initiator = PREFIX + "bound";
    String vvol = "";
    long lun = 0;
    String target = "";
    for (String name : both(initiator)) {
      EsxiHost host = host(name);
      target = connect(host);
      if (vvol.isEmpty()) {
        vvol = createVvol(host);
      }
      lun = host.bind(vvol).lun().value();
    }
    PduProxy proxy = PduProxy.start(provider.portal(), PduRewriting.lun(OWN_NUMBER, lun));
    proxies.add(proxy);
    return new Subject(
        "bound vVol, LUN %016x".formatted(lun),
        url("", proxy.port(), target + "/" + OWN_NUMBER),
        initiator);
  }

  /// How many PDUs came with right digests.
  ///
  /// @throws Mismatch if one came with wrong ones
  long digestsChecked() {
    long wrong = proxies.stream().mapToLong(PduProxy::digestsWrong).sum();
    if (wrong > 0) {
      throw new Mismatch(
          "expected right digests of the target, got %d wrong ones".formatted(wrong));
    }
    return proxies.stream().mapToLong(PduProxy::digestsChecked).sum();
  }

  private void register() {
    try {
      vcenter.register(
          provider.vasa().resolve("/vasa/version.xml"), "vasa", provider.vasaPassword());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private EsxiHost host(String initiator) {
    String name = initiator.substring(PREFIX.length());
    EsxiHost.Setup setup =
        new EsxiHost.Setup(
            name,
            UUID.randomUUID().toString(),
            vcenter.authority().issueClient(name),
            LoginSettings.of(initiator, 1));
    EsxiHost host =
        new EsxiHost(setup, vcenter.service(), vcenter.trust(), ClientOptions.defaults(), calls);
    hosts.add(host);
    return host;
  }

  /// @return name of the target with the endpoints
  private String connect(EsxiHost host) {
    host.openSession();
    String target =
        Discovery.sendTargets(provider.portal(), LoginSettings.of(host.initiatorName(), 1)).stream()
            .filter(found -> found.name().endsWith(":pe"))
            .findFirst()
            .orElseThrow(() -> new Mismatch("expected discovery to show the endpoints' target"))
            .name();
    host.connect(provider.portal(), target);
    return target;
  }

  private String createVvol(EsxiHost host) {
    var task =
        host.client()
            .volumes()
            .createVirtualVolume(container, "Data", null, SIZE_MIB, Map.of("VMW_VVolType", "Data"));
    return host.client().tasks().await(task, BOUND).requireResult();
  }

  /// Exports a new volume to both paths' initiators.
  ///
  /// @return `TARGET/LUN`
  private String export(String name, String initiator) {
    String volume =
        rest.post(
                "volumes",
                "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                    .formatted(name, SIZE_MIB << 20, container))
            .get("id")
            .asString();
    JsonNode export =
        rest.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false}"
                .formatted(volume, String.join("\", \"", both(initiator))));
    return export.get("target").asString() + "/" + export.get("lun").asInt();
  }

  private static List<String> both(String initiator) {
    return List.of(initiator, initiator + Subject.SECOND);
  }

  private static String url(String user, int port, String unit) {
    return "iscsi://%s127.0.0.1:%d/%s?header_digest=none".formatted(user, port, unit);
  }

  @Override
  public void close() {
    proxies.forEach(PduProxy::close);
    hosts.forEach(EsxiHost::close);
    vcenter.close();
  }
}
