package io.coppice.vasa.soap.operation;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.binding.BindContext;
import io.coppice.vasa.binding.BindOutcome;
import io.coppice.vasa.binding.BindingMoves;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.Endpoints;
import io.coppice.vasa.binding.UnbindOutcome;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.session.Peer;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.session.VasaSession;
import io.coppice.vasa.soap.fault.Batches;
import io.coppice.vasa.soap.fault.FaultBeans;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.translate.VolumeMapper;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Megabytes;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.service.SetPEContext;
import io.coppice.wsdl.service.UnbindAllVirtualVolumesFromHost;
import io.coppice.wsdl.vvol.BatchReturnStatus;
import io.coppice.wsdl.vvol.BatchVirtualVolumeHandleResult;
import io.coppice.wsdl.vvol.ProtocolEndpoint;
import io.coppice.wsdl.vvol.ProtocolEndpointInbandId;
import io.coppice.wsdl.vvol.TaskInfo;
import io.coppice.wsdl.vvol.VirtualVolumeHandle;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// VASA 2.0 operations on protocol endpoints and bindings.
@Component
public final class BindingOperations {

  private static final ObjectFactory DATA = new ObjectFactory();
  private static final io.coppice.wsdl.vvol.ObjectFactory VVOL =
      new io.coppice.wsdl.vvol.ObjectFactory();

  private static final int LONGEST_LUN_ID = 100;

  private static final Set<BindContext> FOR_BINDS =
      EnumSet.of(BindContext.NORMAL, BindContext.REBIND_START);
  private static final Set<BindContext> FOR_UNBINDS = EnumSet.allOf(BindContext.class);

  private final Bindings bindings;
  private final BindingMoves changes;
  private final TaskMapper tasks;
  private final Endpoints endpoints;
  private final ArrayIdentity array;
  private final TrustSets trust;

  BindingOperations(
      Bindings bindings,
      BindingMoves changes,
      TaskMapper tasks,
      Endpoints endpoints,
      ArrayIdentity array,
      TrustSets trust) {
    this.bindings = bindings;
    this.changes = changes;
    this.tasks = tasks;
    this.endpoints = endpoints;
    this.array = array;
    this.trust = trust;
  }

  /// Whether a host belongs to the caller's registration. Other hosts and their bindings do not
  /// exist for it.
  private Predicate<HostId> own() {
    Set<String> hosts = trust.hostsOf(CurrentSession.get().trustSet());
    return host -> hosts.contains(host.value());
  }

  /// All endpoints, or the existing ones of the ids.
  public List<ProtocolEndpoint> queryProtocolEndpoint(@Nullable List<String> peId) {
    return offered().stream()
        .map(this::endpoint)
        .filter(
            endpoint ->
                peId == null
                    || peId.isEmpty()
                    || peId.contains(endpoint.getUniqueIdentifier().getValue()))
        .toList();
  }

  public List<String> queryProtocolEndpointForArray(@Nullable String arrayId) {
    array.check(arrayId);
    return offered().stream().map(endpoint -> array.endpoint(endpoint.lun())).toList();
  }

  private List<io.coppice.scsi.directory.ProtocolEndpoint> offered() {
    return endpoints.offeredTo(
        CurrentSession.get().peer() instanceof Peer.Host host
            ? Optional.of(host.id())
            : Optional.empty());
  }

  /// Remembers the endpoints that the session's host sees. Skips nil and ids that are not SCSI.
  public void setPEContext(SetPEContext parameters) {
    Set<String> seen = new LinkedHashSet<>();
    for (ProtocolEndpoint endpoint : parameters.getListOfHostPE()) {
      ProtocolEndpointInbandId id = endpoint == null ? null : endpoint.getInBandId();
      String lunId = id == null ? null : Xml.value(id.getLunId());
      if (lunId != null && lunId.length() <= LONGEST_LUN_ID) { // no longer one is any of ours
        seen.add(lunId.toLowerCase(Locale.ROOT));
      }
    }
    CurrentSession.get().declareEndpoints(seen);
  }

  public List<BatchVirtualVolumeHandleResult> bindVirtualVolume(
      @Nullable List<String> vvolId, @Nullable String bindContext) {
    List<String> texts = Batches.checked(vvolId, "virtual volume id");
    BindContext context = context(bindContext, FOR_BINDS);
    VasaSession session = CurrentSession.get();
    List<VolumeId> wellFormed =
        texts.stream().map(Identifiers::wellFormedVolume).flatMap(Optional::stream).toList();
    HostId host = session.host().id();
    Set<String> visible = session.visibleEndpoints().orElse(Set.of());
    var outcomes =
        (context == BindContext.NORMAL
                ? bindings.bind(host, visible, wellFormed)
                : bindings.rebind(host, visible, wellFormed))
            .iterator();
    List<BatchVirtualVolumeHandleResult> results = new ArrayList<>();
    for (String text : texts) {
      results.add(
          Identifiers.wellFormedVolume(text).isPresent()
              ? result(text, outcomes.next())
              : refused(text, malformed(text)));
    }
    return results;
  }

  public List<BatchReturnStatus> unbindVirtualVolume(
      @Nullable List<VirtualVolumeHandle> vvolHandle, @Nullable String unbindContext) {
    List<VirtualVolumeHandle> handles = Batches.checked(vvolHandle, "virtual volume handle");
    BindContext context = context(unbindContext, FOR_UNBINDS);
    HostId host = CurrentSession.get().host().id();
    List<BatchReturnStatus> results = new ArrayList<>();
    for (VirtualVolumeHandle handle : handles) {
      String text = Xml.value(handle.getUniqueIdentifier());
      Optional<VolumeId> volume = Identifiers.wellFormedVolume(text);
      if (volume.isEmpty()) {
        results.add(Batches.failed(text, malformed(text)));
      } else {
        var asked =
            new Bindings.Handle(
                volume.get(), lunId(handle), Optional.ofNullable(handle.getVvolSecondaryId()));
        results.add(status(bindings.unbind(host, context, asked)));
      }
    }
    return results;
  }

  private static Optional<String> lunId(VirtualVolumeHandle handle) {
    ProtocolEndpointInbandId id = handle.getPeInBandId();
    return Optional.ofNullable(id == null ? null : Xml.value(id.getLunId()));
  }

  /// Breaks stale bindings of a vCenter's hosts; a host may end only its own. Bindings of hosts of
  /// other registrations stay, and the item counts as done.
  public List<BatchReturnStatus> unbindVirtualVolumeFromAllHost(@Nullable List<String> vvolId) {
    List<String> texts = Batches.checked(vvolId, "virtual volume id");
    if (CurrentSession.get().peer() instanceof Peer.Host host) {
      throw onlyItsOwn(host, "those of all hosts");
    }
    Predicate<HostId> own = own();
    return each(texts, id -> bindings.unbindFromAllHosts(id, own));
  }

  public void unbindAllVirtualVolumesFromHost(UnbindAllVirtualVolumesFromHost parameters) {
    String wanted = Xml.value(parameters.getHostUuid());
    bindings.unbindAll(
        switch (CurrentSession.get().peer()) {
          case Peer.Host host -> {
            if (wanted != null && !wanted.equalsIgnoreCase(host.guid())) {
              throw onlyItsOwn(host, "those of host " + wanted);
            }
            yield host.id();
          }
          case Peer.Vcenter _ -> ownHost(wanted);
        });
  }

  private HostId ownHost(@Nullable String text) {
    if (text == null || text.isBlank()) {
      throw VasaException.invalidArgument("expected the UUID of a host from a vCenter, got none");
    }
    HostId host = hostId(text);
    if (!bindings.knows(host) || !own().test(host)) {
      throw VasaException.notFound("there is no host " + host);
    }
    return host;
  }

  private static HostId hostId(String text) {
    try {
      return new HostId(text.toLowerCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new VasaException(new Fault.InvalidArgument(), String.valueOf(e.getMessage()), e);
    }
  }

  private static VasaException onlyItsOwn(Peer.Host host, String wanted) {
    return new VasaException(
        new Fault.StorageFault("io.coppice.fault.ForeignHost"),
        "expected host %s to end its own bindings, it asked for %s".formatted(host.guid(), wanted));
  }

  public TaskInfo prepareForBindingChange(
      @Nullable List<String> vvolId, @Nullable String destHostId) {
    List<VolumeId> volumes = listed(vvolId).stream().map(Identifiers::volume).toList();
    String host = Xml.required(destHostId, "destHostId");
    return tasks.info(changes.prepare(volumes, hostId(host), own()));
  }

  public List<BatchReturnStatus> bindingChangeComplete(@Nullable List<String> vvolId) {
    Predicate<HostId> own = own();
    return each(listed(vvolId), id -> changes.complete(id, own));
  }

  public List<BatchReturnStatus> cancelBindingChange(@Nullable List<String> vvolId) {
    Predicate<HostId> own = own();
    return each(listed(vvolId), id -> changes.cancel(id, own));
  }

  /// The ids of operations that do not list TooMany. Their batch is only limited by the request.
  private static List<String> listed(@Nullable List<String> vvolId) {
    List<String> texts = Xml.all(vvolId, "vvolId");
    if (texts.isEmpty()) {
      throw VasaException.invalidArgument("expected at least one virtual volume id, got none");
    }
    return texts;
  }

  private static List<BatchReturnStatus> each(
      List<String> texts, Function<VolumeId, UnbindOutcome> what) {
    return texts.stream()
        .map(
            text ->
                Identifiers.wellFormedVolume(text)
                    .map(id -> status(what.apply(id)))
                    .orElseGet(() -> Batches.failed(text, malformed(text))))
        .toList();
  }

  private static BindContext context(@Nullable String text, Set<BindContext> allowed) {
    return Optional.ofNullable(text)
        .flatMap(BindContext::ofWireName)
        .filter(allowed::contains)
        .orElseThrow(
            () ->
                VasaException.invalidArgument(
                    "expected a context out of %s, got '%s'"
                        .formatted(allowed.stream().map(BindContext::wireName).toList(), text)));
  }

  private static VasaException malformed(@Nullable String text) {
    return VasaException.invalidArgument(
        "expected a virtual volume id of the form rfc4122.<uuid>, got '%s'".formatted(text));
  }

  private static BatchReturnStatus status(UnbindOutcome outcome) {
    return switch (outcome) {
      case UnbindOutcome.Done(VolumeId id) -> Batches.done(Identifiers.text(id));
      case UnbindOutcome.Refused(VolumeId id, VasaException why) ->
          Batches.failed(Identifiers.text(id), why);
    };
  }

  private static BatchVirtualVolumeHandleResult result(String text, BindOutcome outcome) {
    return switch (outcome) {
      case BindOutcome.Refused(VolumeId _, VasaException why) -> refused(text, why);
      case BindOutcome.Bound bound -> {
        BatchVirtualVolumeHandleResult result = new BatchVirtualVolumeHandleResult();
        result.setVvolId(text);
        result.setVvolHandle(
            VVOL.createBatchVirtualVolumeHandleResultVvolHandle(handle(bound.binding())));
        result.setVvolInfo(
            VVOL.createBatchVirtualVolumeHandleResultVvolInfo(VolumeMapper.info(bound.volume())));
        result.setVvolLogicalSize(Megabytes.ceiling(bound.volume().sizeInBytes()));
        yield result;
      }
    };
  }

  private static BatchVirtualVolumeHandleResult refused(@Nullable String text, VasaException why) {
    BatchVirtualVolumeHandleResult result = new BatchVirtualVolumeHandleResult();
    result.setVvolId(text == null ? "" : text);
    result.setFault(VVOL.createBatchVirtualVolumeHandleResultFault(FaultBeans.of(why.fault())));
    return result;
  }

  private static VirtualVolumeHandle handle(Binding binding) {
    VirtualVolumeHandle handle = new VirtualVolumeHandle();
    handle.setUniqueIdentifier(
        DATA.createBaseStorageEntityUniqueIdentifier(Identifiers.text(binding.volume())));
    handle.setPeInBandId(inBandId(binding.endpoint()));
    handle.setVvolSecondaryId(binding.secondaryId());
    return handle;
  }

  private ProtocolEndpoint endpoint(io.coppice.scsi.directory.ProtocolEndpoint endpoint) {
    ProtocolEndpoint bean = new ProtocolEndpoint();
    bean.setUniqueIdentifier(
        DATA.createBaseStorageEntityUniqueIdentifier(array.endpoint(endpoint.lun())));
    bean.setInBandBindCapability("None");
    bean.setInBandId(inBandId(endpoint));
    return bean;
  }

  private static ProtocolEndpointInbandId inBandId(
      io.coppice.scsi.directory.ProtocolEndpoint endpoint) {
    ProtocolEndpointInbandId id = new ProtocolEndpointInbandId();
    id.setProtocolEndpointType("SCSI");
    id.setLunId(VVOL.createProtocolEndpointInbandIdLunId(endpoint.naa()));
    return id;
  }
}
