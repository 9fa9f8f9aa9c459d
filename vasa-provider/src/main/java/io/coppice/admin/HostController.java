package io.coppice.admin;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.Binding;
import io.coppice.scsi.HostId;
import io.coppice.scsi.LunDirectory;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.session.Sessions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Hosts and what they have bound, as the pool has it.
@RestController
final class HostController {

  private final LunDirectory luns;
  private final Bindings bindings;
  private final Sessions sessions;

  HostController(LunDirectory luns, Bindings bindings, Sessions sessions) {
    this.luns = luns;
    this.bindings = bindings;
    this.sessions = sessions;
  }

  /// @param lastSeen its last VASA call; null without an open session
  /// @param bindings how many vVols it has bound
  record Host(String id, List<String> initiators, @Nullable Instant lastSeen, long bindings) {}

  /// @param count binds that are not taken back yet
  record Bound(String host, UUID vvol, int protocolEndpoint, String secondaryId, int count) {}

  @GetMapping("/hosts")
  Page<Host> hosts(@ParameterObject ListQuery query) {
    Map<HostId, Instant> seen = sessions.hostsLastSeen();
    List<Binding> all = bindings.list();
    return query.page(
        List.copyOf(luns.hosts().entrySet()),
        host -> host.getKey().value(),
        host ->
            new Host(
                host.getKey().value(),
                host.getValue().stream().sorted().toList(),
                seen.get(host.getKey()),
                all.stream().filter(one -> one.host().equals(host.getKey())).count()));
  }

  @GetMapping("/bindings")
  Page<Bound> bindings(
      @ParameterObject ListQuery query,
      @RequestParam(required = false) @Nullable String host,
      @RequestParam(required = false) @Nullable UUID vvol) {
    return query.page(
        bindings.list().stream()
            .filter(one -> host == null || one.host().value().equals(host))
            .filter(one -> vvol == null || one.volume().equals(new VolumeId(vvol)))
            .toList(),
        one -> one.host() + "/" + one.volume(),
        one ->
            new Bound(
                one.host().value(),
                one.volume().value(),
                one.endpoint().lun(),
                one.secondaryId(),
                one.count()));
  }
}
