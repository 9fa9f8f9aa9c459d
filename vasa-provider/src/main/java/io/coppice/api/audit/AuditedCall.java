package io.coppice.api.audit;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An entry of the audit trail.
///
/// @param seq number in the chain, from 1 without gaps
/// @param at when the call ended
/// @param channel `rest`, `vasa`, `tool`, or `coppice` for the provider's own entries
/// @param actor who asked for it
/// @param action operation of REST or VASA, or name of the tool
/// @param object what it was about; null for nothing in particular
/// @param outcome `done`, `accepted`, `refused` or `failed`
/// @param code of the problem or name of the fault; null if there was none
/// @param traceId of the request; null for none
/// @param asked what the caller wanted, without secrets
/// @param changes the fields of the object that the call changed; all fields of an object that was
///   made or deleted; none if the call was refused or failed
/// @param before other values from before the change, as far as they are known
/// @param after other values from after it, as far as they are known
/// @param previous hash of the entry before
/// @param hash of this entry
public record AuditedCall(
    long seq,
    Instant at,
    String channel,
    AuditedCall.AuditActor actor,
    String action,
    @Nullable String object,
    String outcome,
    @Nullable String code,
    @Nullable String traceId,
    List<AuditValue> asked,
    List<AuditChange> changes,
    List<AuditValue> before,
    List<AuditValue> after,
    String previous,
    String hash) {

  /// The one who asked.
  ///
  /// @param account name of the token; `vCenter` or `host` with its guid; account of the machine
  /// @param token id of the token; null for none
  /// @param certificate SHA-256 and subject of the client's certificate; null for none
  /// @param address of the client; null without a connection
  public record AuditActor(
      String account,
      @Nullable String token,
      @Nullable String certificate,
      @Nullable String address) {}

  /// A field of the object.
  ///
  /// @param field its name; an entry of a map has the map's name before its own, as `labels.owner`
  /// @param before null if it had no value, or there was no object
  /// @param after null if it has no value, or there is no object any more
  public record AuditChange(String field, @Nullable String before, @Nullable String after) {}

  /// One named value.
  ///
  /// @param value null if the caller sent null
  public record AuditValue(String name, @Nullable String value) {}
}
