package io.coppice.vasa.event;

/// `EventTypeEnum` (VASA 2.0).
public enum EventType {
  SYSTEM("System"),
  CONFIG("Config"),
  POLICY("Policy"),
  CONFIG_PROTOCOL_ENDPOINT("ConfigProtocolEndpoint"),
  REBIND("Rebind");

  private final String wireName;

  EventType(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }

  static EventType ofWireName(String name) {
    for (EventType type : values()) {
      if (type.wireName.equals(name)) {
        return type;
      }
    }
    throw new IllegalArgumentException("no event type is called " + name);
  }
}
