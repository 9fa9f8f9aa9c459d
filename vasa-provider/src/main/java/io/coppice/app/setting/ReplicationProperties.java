package io.coppice.app.setting;

import static io.coppice.app.setting.SettingRange.within;

import io.coppice.replication.link.LinkSettings;
import java.net.InetSocketAddress;
import java.time.Duration;

/// The settings of links with other pools.
///
/// @param address where peers call
/// @param port 0 for any free one
/// @param advertise host, or host and port, that peers are told; blank: this machine as others
///   reach it
/// @param connections of peers at a time
/// @param silence after which an end that says nothing counts as gone
public record ReplicationProperties(
    String address, int port, String advertise, int connections, Duration silence) {

  public ReplicationProperties {
    within("replication.port", port, 0, 65535);
    within("replication.connections", connections, 1, 1024);
    within("replication.silence", silence, Duration.ofSeconds(1), Duration.ofMinutes(5));
  }

  public InetSocketAddress listen() {
    return new InetSocketAddress(address, port);
  }

  public LinkSettings link() {
    return new LinkSettings(silence, true);
  }
}
