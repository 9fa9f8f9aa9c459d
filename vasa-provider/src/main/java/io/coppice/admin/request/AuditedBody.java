package io.coppice.admin.request;

import io.coppice.vasa.audit.Detail;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The part of a request's body that the audit trail gets: fields that are named here, and nothing
/// else. A new field is recorded only after somebody has decided that it is no secret; a test asks
/// for that decision.
final class AuditedBody {

  /// Fields whose values are recorded.
  static final Set<String> SHOWN =
      Set.of(
          "action",
          "address",
          "binTime",
          "checkOnly",
          "container",
          "containers",
          "continuous",
          "description",
          "enabled",
          "exportTests",
          "exports",
          "expiresInDays",
          "force",
          "from",
          "generation",
          "graceMinutes",
          "groups",
          "holdFor",
          "hosts",
          "initiators",
          "interval",
          "keep",
          "keepFor",
          "kind",
          "labels",
          "lockFor",
          "lun",
          "maxBandwidth",
          "maxIops",
          "maxLock",
          "members",
          "moment",
          "name",
          "note",
          "oldest",
          "paused",
          "peer",
          "planned",
          "point",
          "policy",
          "quota",
          "readOnly",
          "recoveryPointAge",
          "recoveryPointsKept",
          "recoveryPointsLocked",
          "registrations",
          "replica",
          "retentionEnabled",
          "role",
          "rpo",
          "rules",
          "schedule",
          "scheduled",
          "security",
          "server",
          "severity",
          "size",
          "snapshot",
          "snapshotInterval",
          "snapshotRetention",
          "snapshots",
          "source",
          "spaceEfficiency",
          "steps",
          "tags",
          "to",
          "until",
          "user",
          "value",
          "volumes",
          "vvol",
          "watch",
          "weight",
          "writable");

  /// Fields of which only is recorded that they were sent.
  static final Set<String> SECRET =
      Set.of(
          "ca",
          "code",
          "currentPassword",
          "key",
          "mutualSecret",
          "nonce",
          "password",
          "pool",
          "proof",
          "secret",
          "url");

  private static final String HIDDEN = "(redacted)";

  private final JsonMapper json;

  AuditedBody(JsonMapper json) {
    this.json = json;
  }

  /// What of a body is recorded; nothing of one that is no object of JSON.
  List<Detail> details(byte[] body) {
    List<Detail> details = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : read(body).properties()) {
      String name = field.getKey();
      if (SHOWN.contains(name)) {
        details.add(Detail.asked(name, text(field.getValue())));
      } else if (SECRET.contains(name)) {
        details.add(Detail.asked(name, HIDDEN));
      } else {
        details.add(Detail.asked("unknownField", HIDDEN)); // its name may be the secret
      }
    }
    return details;
  }

  private static @Nullable String text(JsonNode value) {
    if (value.isNull()) {
      return null;
    }
    return value.isValueNode() ? value.asString() : value.toString();
  }

  private JsonNode read(byte[] body) {
    try {
      JsonNode read = json.readTree(body);
      return read.isObject() ? read : json.createObjectNode();
    } catch (JacksonException e) {
      return json.createObjectNode();
    }
  }
}
