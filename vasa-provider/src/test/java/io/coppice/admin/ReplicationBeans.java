package io.coppice.admin;

import io.coppice.replication.PoolName;
import io.coppice.replication.link.LinkSettings;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.group.PoolReplication;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.lag.LagHistory;
import io.coppice.vasa.replication.lag.LagWatch;
import io.coppice.vasa.replication.link.PeerLinks;
import io.coppice.vasa.replication.pairing.Pairing;
import io.coppice.vasa.replication.pairing.PairingCalls;
import io.coppice.vasa.replication.pairing.PairingMessages;
import io.coppice.vasa.replication.pairing.PeerRecords;
import io.coppice.vasa.testing.ControlPlane;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/// The beans of replication for the [AdminApplication]. Pools of several servers may pair: the call
/// goes over plain HTTP, as all of their REST does. No cycle begins by itself.
class ReplicationBeans {

  private static final JsonMapper JSON = new JsonMapper();

  @Bean
  PeerRecords peerRecords(ControlPlane control) {
    return new PeerRecords(control.engine.records(), SecretBox.of(new byte[SecretBox.KEY_BYTES]));
  }

  @Bean(destroyMethod = "close")
  PoolReplication poolReplication(ControlPlane control, PeerRecords peers) {
    return new PoolReplication(
        new PoolName(control.engine.pool().id(), "first"),
        peers,
        new PeerLinks.Settings(
            new InetSocketAddress("127.0.0.1", 0),
            16,
            LinkSettings.DEFAULT,
            port -> "127.0.0.1:" + port),
        control.store,
        control.volumes,
        control.recovery,
        control.containers,
        control.clock);
  }

  @Bean
  ReplicationGroups replicationGroups(PoolReplication replication) {
    return replication.groups();
  }

  @Bean
  LagWatch lagWatch(ControlPlane control, ReplicationGroups groups, PeerRecords peers) {
    return new LagWatch(groups, peers::all, control.clock);
  }

  @Bean
  LagHistory lagHistory(ControlPlane control, ReplicationGroups groups, LagWatch watch) {
    return new LagHistory(groups, watch, control.clock);
  }

  @Bean
  Pairing pairing(ControlPlane control, PoolReplication replication, PeerRecords peers) {
    return new Pairing(
        new Pairing.Site(
            new PoolName(control.engine.pool().id(), "first"),
            replication.links()::address,
            PeersTest::server),
        peers,
        ReplicationBeans::call,
        control.store.changes()::note,
        control.clock,
        System::nanoTime);
  }

  private static PairingCalls.Answered call(String address, PairingCalls.Asking asking) {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          http.send(
              HttpRequest.newBuilder(
                      URI.create("http://%s/api/v1/replication/pairings".formatted(address)))
                  .header("Content-Type", "application/json")
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          JSON.writeValueAsString(asking.by(PeersTest.server()))))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw VasaException.invalidArgument(response.body()).about("code");
      }
      return new PairingCalls.Answered(
          JSON.readValue(response.body(), PairingMessages.Answer.class), PeersTest.server());
    } catch (IOException e) {
      throw VasaException.invalidArgument("nothing answers at " + address).about("address");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
