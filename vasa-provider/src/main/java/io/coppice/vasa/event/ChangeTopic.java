package io.coppice.vasa.event;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The topic of a change: the types of [EventType], and those that vCenter does not know.
public enum ChangeTopic {
  /// Volumes and snapshots.
  VOLUME("Volume"),
  /// Who reaches what: exports, hosts, portals, tokens, registrations.
  ACCESS("Access"),
  SYSTEM(EventType.SYSTEM),
  CONFIG(EventType.CONFIG),
  POLICY(EventType.POLICY),
  CONFIG_PROTOCOL_ENDPOINT(EventType.CONFIG_PROTOCOL_ENDPOINT),
  REBIND(EventType.REBIND);

  private final String text;

  ChangeTopic(String text) {
    this.text = text;
  }

  ChangeTopic(EventType type) {
    this(type.wireName());
  }

  public String text() {
    return text;
  }

  static ChangeTopic of(EventType type) {
    return parse(type.wireName())
        .orElseThrow(() -> new IllegalStateException("no topic has the type " + type));
  }

  /// The topic of a text; empty if there is none.
  public static Optional<ChangeTopic> parse(String text) {
    return Arrays.stream(values()).filter(topic -> topic.text.equals(text)).findFirst();
  }

  /// All texts, in their order.
  public static List<String> texts() {
    return Arrays.stream(values()).map(ChangeTopic::text).toList();
  }
}
