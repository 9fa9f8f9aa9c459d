package io.coppice.admin.host;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.host.Bound;
import io.coppice.api.host.Host;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.session.VasaSessions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Hosts and what they have bound, as the pool has it.
@RestController
final class HostController {

  private final KnownHosts known;
  private final Bindings bindings;
  private final VasaSessions sessions;
  private final TrustSets trust;

  HostController(KnownHosts known, Bindings bindings, VasaSessions sessions, TrustSets trust) {
    this.known = known;
    this.bindings = bindings;
    this.sessions = sessions;
    this.trust = trust;
  }

  @GetMapping("/hosts")
  Page<Host> hosts(@ParameterObject ListQuery query) {
    Map<HostId, Instant> seen = sessions.hostsLastSeen();
    Map<HostId, Long> bound =
        bindings.list().stream()
            .collect(Collectors.groupingBy(Binding::host, Collectors.counting()));
    return query.page(
        List.copyOf(known.initiators().entrySet()),
        host -> host.getKey().value(),
        host ->
            new Host(
                host.getKey().value(),
                host.getValue().stream().sorted().toList(),
                seen.get(host.getKey()),
                bound.getOrDefault(host.getKey(), 0L)));
  }

  /// Forgets a host that is gone for good, with its initiators and its claim on their names: the
  /// next client that comes with them owns them. A host with bindings takes `force`, which ends
  /// them. No vCenter could end them if the host belongs to no registration any more.
  @DeleteMapping("/hosts/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void forget(@PathVariable String id, @RequestParam(defaultValue = "false") boolean force) {
    HostId host =
        known.initiators().keySet().stream()
            .filter(one -> one.value().equals(id))
            .findFirst()
            .orElseThrow(() -> RequestRejectedException.notFound("host", id));
    if (sessions.hostsLastSeen().containsKey(host)) {
      throw RequestRejectedException.conflict(
          "in-use", id, "expected a host without an open VASA session, but it has one");
    }
    long bound = bindings.list().stream().filter(one -> one.host().equals(host)).count();
    if (bound > 0 && !force) {
      throw RequestRejectedException.conflict(
          "in-use",
          id,
          "expected a host without bindings, but it has %d: ?force=true ends them"
              .formatted(bound));
    }
    if (bound > 0) {
      bindings.unbindAll(host);
    }
    trust.forgetHost(host.value(), known.initiatorsOf(host));
    known.forgetUnbound(host); // it may have come back since
  }

  @GetMapping("/bindings")
  Page<Bound> bindings(
      @ParameterObject ListQuery query,
      @RequestParam(required = false) @Nullable String host,
      @RequestParam(required = false) @Nullable UUID vvol) {
    Map<String, Integer> former =
        bindings.former().stream()
            .collect(Collectors.toMap(HostController::key, one -> one.endpoint().lun()));
    List<Binding> all = vvol == null ? bindings.list() : bindings.of(new VolumeId(vvol));
    return query.page(
        all.stream().filter(one -> host == null || one.host().value().equals(host)).toList(),
        HostController::key,
        one ->
            new Bound(
                one.host().value(),
                one.volume().value(),
                one.endpoint().lun(),
                one.secondaryId(),
                one.count(),
                former.get(key(one))));
  }

  private static String key(Binding binding) {
    return binding.host() + "/" + binding.volume();
  }
}
