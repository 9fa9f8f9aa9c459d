package io.coppice.admin.request;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.WebUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The check of what a token that is bound to storage containers may change: whatever volume or
/// snapshot the path or the body names by its id must be plain, and a new volume must come into one
/// of its containers.
///
/// It looks at every id, whatever the field is called, so that a new operation needs no check of
/// its own. Ids of objects in other containers find nothing here nor in the operation, which
/// answers as if these were absent. It costs at most two statements.
final class ContainerCheck implements HandlerInterceptor {

  /// The field of a body that names where something is to be made.
  private static final String CONTAINER = "container";

  private final VirtualVolumes volumes;
  private final JsonMapper json;

  ContainerCheck(VirtualVolumes volumes, JsonMapper json) {
    this.volumes = volumes;
    this.json = json;
  }

  /// @throws RequestRejectedException (403) if the caller is bound to containers and may not change
  ///   what is named
  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    if (RoleCheck.isOpen(request, handler)) {
      return true;
    }
    AdminCaller caller = AdminCaller.of(request).orElseThrow();
    if (caller.isBound() && !RoleCheck.reads(request)) {
      Optional<JsonNode> body = body(request);
      body.ifPresent(tree -> requireOwn(caller, tree.path(CONTAINER)));
      Set<VolumeId> named = new LinkedHashSet<>();
      pathVariables(request).forEach(text -> addAll(named, json.valueToTree(text)));
      body.ifPresent(tree -> addAll(named, tree));
      requirePlain(named);
    }
    return true;
  }

  private void requireOwn(AdminCaller caller, JsonNode container) {
    Optional<UUID> wanted = uuid(container);
    if (wanted.isPresent() && !caller.containers().contains(wanted.get())) {
      throw forbidden(
          CONTAINER,
          "expected one of the storage containers %s, to which the token '%s' is bound, got %s"
              .formatted(caller.containers(), caller.name(), wanted.get()));
    }
  }

  private void requirePlain(Collection<VolumeId> named) {
    List<VirtualVolume> found = volumes.findAlsoBinned(named);
    Map<VolumeId, VirtualVolume> known = new HashMap<>();
    found.forEach(volume -> known.put(volume.id(), volume));
    volumes
        .findAlsoBinned(found.stream().map(VirtualVolume::parent).filter(Objects::nonNull).toList())
        .forEach(volume -> known.put(volume.id(), volume));
    for (VirtualVolume volume : found) {
      if (!isPlain(volume, known)) {
        throw forbidden(
            volume.id().toString(),
            "expected a plain volume or a snapshot of one, which the role %s may change, but %s belongs to a virtual machine"
                .formatted(Role.VOLUME_ADMIN.text(), volume.id()));
      }
    }
  }

  private static boolean isPlain(VirtualVolume volume, Map<VolumeId, VirtualVolume> known) {
    if (!volume.snapshot()) {
      return volume.origin() == VolumeOrigin.ADMIN;
    }
    VirtualVolume parent = parent(volume, known);
    return switch (volume.origin()) {
      case ADMIN, SCHEDULE ->
          // What a volume was that is gone, its type tells: plain ones have no other.
          parent == null ? volume.type() == VolumeType.OTHER : isPlain(parent, known);
      case HOST, ADOPTED -> false;
    };
  }

  private static @Nullable VirtualVolume parent(
      VirtualVolume snapshot, Map<VolumeId, VirtualVolume> known) {
    VolumeId id = snapshot.parent();
    return id == null ? null : known.get(id);
  }

  @SuppressWarnings("unchecked")
  private static Stream<String> pathVariables(HttpServletRequest request) {
    Object variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
    return variables instanceof Map<?, ?> map
        ? ((Map<String, String>) map).values().stream()
        : Stream.empty();
  }

  /// Adds the ids in a value, at any depth.
  private void addAll(Set<VolumeId> named, JsonNode tree) {
    uuid(tree).ifPresent(id -> named.add(new VolumeId(id)));
    tree.forEach(child -> addAll(named, child));
  }

  /// The id that a text is, in each form in which the reader of bodies takes one.
  private Optional<UUID> uuid(JsonNode text) {
    try {
      return text.isString()
          ? Optional.ofNullable(json.treeToValue(text, UUID.class))
          : Optional.empty();
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /// The body; empty if there is none, or what is there is left to its reader to refuse.
  private Optional<JsonNode> body(HttpServletRequest request) throws IOException {
    BufferedRequest whole = WebUtils.getNativeRequest(request, BufferedRequest.class);
    if (whole == null) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(json.readTree(whole.getInputStream().readAllBytes()));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  private static RequestRejectedException forbidden(String target, String message) {
    return new RequestRejectedException(HttpStatus.FORBIDDEN, "forbidden", target, message);
  }
}
