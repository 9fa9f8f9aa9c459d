package io.coppice.driver.esxi;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.pki.Identity;
import io.coppice.driver.pki.ServerTrust;
import io.coppice.driver.scsi.Designator;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.BindResult;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.ProtocolEndpoint;
import io.coppice.driver.soap.ProviderInfo;
import io.coppice.driver.soap.UnreachableException;
import io.coppice.driver.soap.UsageContext;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.soap.VvolHandle;
import io.coppice.driver.vcenter.VCenter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// An ESXi host: certificate, host UUID, initiator name, one VASA session and one iSCSI path.
///
/// Safe for several threads once [#openSession] and [#connect] have returned.
public final class EsxiHost implements AutoCloseable {
  /// REPORT LUNS: administrative logical units only.
  private static final int ADMINISTRATIVE_ONLY = 0x10;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final String name;
  private final String uuid;
  private final String initiator;
  private final Identity identity;
  private final VasaClient client;
  private final WireCounters counters = new WireCounters();
  private final LoginSettings login;
  private volatile Map<String, Lun> endpoints = Map.of();
  private volatile List<ProtocolEndpoint> seen = List.of();
  private volatile @Nullable IscsiPath path;
  private @Nullable ProviderInfo info;

  /// The identity of a host. `login` carries the initiator name and, where wanted, CHAP
  /// credentials.
  public record Setup(String name, String uuid, Identity identity, LoginSettings login) {
    /// A host with a new UUID and a certificate of `vcenter`'s authority.
    public static Setup of(VCenter vcenter, String name) {
      String uuid = UUID.randomUUID().toString();
      return new Setup(
          name,
          uuid,
          vcenter.authority().issueClient(name),
          LoginSettings.of("iqn.1998-01.com.vmware:" + name + "-" + uuid.substring(0, 8), 1));
    }
  }

  public EsxiHost(Setup setup, URI service, ServerTrust trust, ClientOptions options, CallLog log) {
    this.name = setup.name();
    this.uuid = setup.uuid();
    this.identity = setup.identity();
    this.login = setup.login();
    this.initiator = setup.login().initiatorName();
    this.client = new VasaClient(service, name, trust.context(identity), options, log);
  }

  /// A host that knows its provider from `vcenter`.
  public static EsxiHost of(VCenter vcenter, String name, ClientOptions options, CallLog log) {
    return new EsxiHost(Setup.of(vcenter, name), vcenter.service(), vcenter.trust(), options, log);
  }

  public String name() {
    return name;
  }

  public String uuid() {
    return uuid;
  }

  public String initiatorName() {
    return initiator;
  }

  public Identity identity() {
    return identity;
  }

  public VasaClient client() {
    return client;
  }

  /// What crossed the iSCSI wire of this host.
  public WireCounters counters() {
    return counters;
  }

  /// Opens the VASA session. From then on a session that the provider forgot is opened again and
  /// the endpoints are declared again, before the call that met it is repeated.
  public ProviderInfo openSession() {
    ProviderInfo opened = setContext();
    client.renewSessionWith(
        () -> {
          setContext();
          if (!seen.isEmpty()) {
            client.inventory().setPEContext(seen);
          }
        });
    info = opened;
    return opened;
  }

  private ProviderInfo setContext() {
    return client.sessions().setContext(UsageContext.ofHost(uuid, initiator));
  }

  /// The greatest number of ids in one batch call, as the provider states it.
  public int maxBatchSize() {
    ProviderInfo opened = info;
    return opened == null || opened.maxBatchSize() <= 0
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, opened.maxBatchSize());
  }

  /// Logs in to the endpoints' target, finds the endpoints that the provider names among its
  /// logical units by their NAA identity, and declares those.
  ///
  /// @throws IllegalStateException if none of them is there
  public void connect(InetSocketAddress portal, String target) {
    path = IscsiPath.open(portal, target, login, counters);
    scan();
  }

  /// Looks for endpoints again, as after an event of a change.
  public void scan() {
    Map<String, Lun> byNaa = administrativeUnits();
    Map<String, Lun> matched = new LinkedHashMap<>();
    List<ProtocolEndpoint> visible = new ArrayList<>();
    for (ProtocolEndpoint endpoint : announcedEndpoints()) {
      String naa = endpoint.inBandId().lunId();
      Lun lun = naa == null ? null : byNaa.get(naa);
      if (naa != null && lun != null) {
        matched.put(naa, lun);
        visible.add(endpoint);
      }
    }
    if (visible.isEmpty()) {
      throw new IllegalStateException(
          "%s: expected an endpoint of the provider among %s, got none".formatted(name, byNaa));
    }
    client.inventory().setPEContext(visible);
    endpoints = Map.copyOf(matched);
    seen = List.copyOf(visible);
  }

  /// Declares all endpoints that the provider names without looking for them: a host without an
  /// iSCSI session, which may bind but do no I/O.
  public void declare() {
    List<ProtocolEndpoint> announced = announcedEndpoints();
    client.inventory().setPEContext(announced);
    seen = List.copyOf(announced);
  }

  private List<ProtocolEndpoint> announcedEndpoints() {
    List<String> ids = new ArrayList<>();
    client
        .inventory()
        .queryArrays(List.of())
        .forEach(array -> ids.addAll(client.inventory().queryProtocolEndpointForArray(array.id())));
    return client.inventory().queryProtocolEndpoint(ids);
  }

  /// The administrative logical units that the target reports, by their NAA identity.
  private Map<String, Lun> administrativeUnits() {
    Map<String, Lun> found = new LinkedHashMap<>();
    LogicalUnit zero = new LogicalUnit(path(), Lun.ZERO);
    for (Lun lun : zero.reportLuns(ADMINISTRATIVE_ONLY)) {
      LogicalUnit unit = new LogicalUnit(path(), lun);
      if (!unit.inquiry().conglomerate()) {
        throw new IllegalStateException(
            "expected LU_CONG in the INQUIRY data of administrative %s, got 0".formatted(lun));
      }
      Designator.naaOf(unit.designators()).ifPresent(naa -> found.put(naa, lun));
    }
    return found;
  }

  /// The endpoints this host sees, `naa.…` to logical unit number.
  public Map<String, Lun> endpoints() {
    return endpoints;
  }

  /// The iSCSI path to the endpoints.
  public IscsiPath path() {
    IscsiPath now = path;
    if (now == null) {
      throw new IllegalStateException(name + ": expected an iSCSI session, got none");
    }
    return now;
  }

  /// Binds vVols in batches of what the provider takes.
  ///
  /// @throws io.coppice.driver.soap.VasaFault the first item's fault
  public List<VvolDisk> bind(List<String> vvolIds) {
    List<VvolDisk> disks = new ArrayList<>();
    int step = Math.min(maxBatchSize(), vvolIds.size());
    for (int at = 0; at < vvolIds.size(); at += step) {
      List<String> part = vvolIds.subList(at, Math.min(vvolIds.size(), at + step));
      for (BindResult result : client.bindings().bindVirtualVolume(part, BindingCalls.NORMAL)) {
        disks.add(open(result.requireHandle()));
      }
    }
    return disks;
  }

  public VvolDisk bind(String vvolId) {
    return bind(List.of(vvolId)).getFirst();
  }

  /// Answers a rebind event: asks for another place of a bound vVol. The one that it has answers as
  /// well until [#leave].
  public VvolDisk rebind(String vvolId) {
    return open(
        client
            .bindings()
            .bindVirtualVolume(List.of(vvolId), BindingCalls.REBIND_START)
            .getFirst()
            .requireHandle());
  }

  /// Gives up the place that a vVol moved from.
  public void leave(VvolDisk former) {
    BatchStatus.requireAllGood(
        client.bindings().unbindVirtualVolume(List.of(former.handle()), BindingCalls.REBIND_END));
  }

  /// The block device of a handle that a bind gave.
  public VvolDisk open(VvolHandle handle) {
    String naa = handle.endpoint().lunId();
    Lun endpoint = naa == null ? null : endpoints.get(naa);
    if (endpoint == null) {
      throw new IllegalStateException(
          "expected a handle through one of %s, got %s".formatted(endpoints.keySet(), naa));
    }
    Lun lun = Lun.subsidiary(endpoint, handle.secondaryId());
    return new VvolDisk(handle, lun, ScsiDisk.open(new LogicalUnit(path(), lun)));
  }

  /// Unbinds; the first item's error is thrown.
  public void unbind(List<VvolDisk> disks) {
    if (disks.isEmpty()) {
      return;
    }
    BatchStatus.requireAllGood(
        client
            .bindings()
            .unbindVirtualVolume(
                disks.stream().map(VvolDisk::handle).toList(), BindingCalls.NORMAL));
  }

  public void unbind(VvolDisk disk) {
    unbind(List.of(disk));
  }

  /// After a boot: ends all bindings that the provider still has of this host.
  public void unbindAll() {
    client.bindings().unbindAllVirtualVolumesFromHost(null);
  }

  /// Sets up the iSCSI session again, as a host does when a path comes back.
  public void reconnect(Duration bound) {
    path().reconnect(bound);
  }

  /// Opens the VASA session again, until the provider answers or `bound` has passed. A provider
  /// that has just started may answer with faults of its storage for a while: those are waited out
  /// too.
  public void reopenSession(Duration bound) {
    long deadline = System.nanoTime() + bound.toNanos();
    while (true) {
      try {
        setContext();
        if (!seen.isEmpty()) {
          client.inventory().setPEContext(seen);
        }
        return;
      } catch (UnreachableException | VasaFault e) {
        boolean passes =
            !(e instanceof VasaFault fault) || fault.is(VasaFault.BUSY) || fault.is("StorageFault");
        boolean late = System.nanoTime() - deadline > 0;
        if (!passes || late || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  @Override
  public void close() {
    IscsiPath now = path;
    if (now != null) {
      now.close();
    }
    client.close();
  }
}
