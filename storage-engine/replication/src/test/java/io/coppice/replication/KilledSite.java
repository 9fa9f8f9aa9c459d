package io.coppice.replication;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.replication.intake.ReplicationTarget;
import io.coppice.replication.link.Handshake;
import io.coppice.replication.link.Link;
import io.coppice.replication.link.LinkListener;
import io.coppice.replication.link.LinkSettings;
import io.coppice.replication.link.Pace;
import io.coppice.replication.link.SecureTransport;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.replication.source.Conversation;
import io.coppice.replication.source.CycleSender;
import io.coppice.replication.source.SourceGroup;
import io.coppice.replication.testing.Certificates;
import io.coppice.replication.testing.Site;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import javax.net.ssl.SSLContext;

/// The processes that [ReplicationKillsTest] kills: a pool that receives cycles, and one that
/// writes and sends them.
final class KilledSite {

  static final UUID GROUP = new UUID(7, 7);

  private static final int VOLUMES = 3;
  private static final int BLOCKS = 1024;
  private static final int BLOCK = 4096;
  private static final long NOTE_BYTES = 256 << 10;
  private static final LinkSettings SETTINGS = new LinkSettings(Duration.ofSeconds(2), true);
  private static final PoolName SOURCE = new PoolName(new UUID(1, 1), "source");
  private static final PoolName TARGET = new PoolName(new UUID(2, 2), "target");

  private KilledSite() {}

  /// Arguments: `source` or `target`, the pool's folder, the folder of certificates, and for a
  /// source the port of the target. A target says its port; a source says what each replica holds.
  public static void main(String[] arguments) throws Exception {
    Path certificates = Path.of(arguments[2]);
    Certificates source = new Certificates(certificates, "source");
    Certificates target = new Certificates(certificates, "target");
    try (StorageEngine engine =
        PoolDirectory.open(Path.of(arguments[1]), EngineOptions.defaults())) {
      PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
      if (arguments[0].equals("target")) {
        receive(engine, target.trusting(source), out);
      } else {
        send(engine, source.trusting(target), Integer.parseInt(arguments[3]), out);
      }
    }
  }

  private static void receive(StorageEngine engine, SSLContext context, PrintStream out)
      throws Exception {
    ReplicationTarget target =
        new ReplicationTarget(engine, new ReplicaCatalog(engine), TARGET, Site.OPEN, NOTE_BYTES);
    LinkListener.Server server =
        new LinkListener.Server() {
          @Override
          public void serve(SecureTransport transport) {
            try (Link link = new Link(transport, SETTINGS, Pace.UNLIMITED)) {
              target.serve(link);
            } catch (ReplicationException e) {
              // Every link ends some time.
            }
          }

          @Override
          public void refused(String from, IOException reason) {}
        };
    try (LinkListener listener =
        new LinkListener(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), () -> context, 8, server)) {
      out.println("port " + listener.port());
      Thread.sleep(Duration.ofMinutes(10));
    }
  }

  private static void send(StorageEngine engine, SSLContext context, int port, PrintStream out)
      throws Exception {
    ReplicaCatalog catalog = new ReplicaCatalog(engine);
    catalog.of(GROUP).forEach(replica -> say(engine, replica, out));
    SplittableRandom random = new SplittableRandom(System.nanoTime());
    SourceGroup group = group(engine);
    while (true) {
      for (SourceGroup.SourceMember member : group.members()) {
        write(engine, member.volume(), random);
      }
      try (SecureTransport transport =
              SecureTransport.connect(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                  context,
                  null,
                  Duration.ofSeconds(2));
          Link link = new Link(transport, SETTINGS, Pace.UNLIMITED)) {
        Handshake.introduce(link, SOURCE, TARGET.id());
        Conversation conversation = new Conversation(link);
        CycleSender sender = new CycleSender(engine, catalog, InstantSource.system());
        out.println("cycle");
        Replica replica = sender.run(conversation, group, CycleSender.Label.NONE).replica();
        say(engine, replica, out);
      } catch (IOException | ReplicationException e) {
        return; // the target was killed: its test starts both again
      }
    }
  }

  private static SourceGroup group(StorageEngine engine) {
    List<SourceGroup.SourceMember> members = new ArrayList<>();
    for (int i = 0; i < VOLUMES; i++) {
      VolumeId id = new VolumeId(new UUID(8, i));
      if (engine.find(id).isEmpty()) {
        engine.create(OperationId.random(), VolumeSpec.thin(id, (long) BLOCKS * BLOCK));
      }
      members.add(new SourceGroup.SourceMember(id.value(), id, Map.of()));
    }
    return new SourceGroup(GROUP, members, false);
  }

  private static void write(StorageEngine engine, VolumeId volume, SplittableRandom random) {
    for (int i = random.nextInt(64); i >= 0; i--) {
      int count = random.nextInt(1, 33);
      byte[] bytes = new byte[count * BLOCK];
      random.nextBytes(bytes);
      long offset = (long) random.nextInt(BLOCKS - count) * BLOCK;
      engine.open(volume).write(offset, ByteBuffer.wrap(bytes));
    }
  }

  private static void say(StorageEngine engine, Replica replica, PrintStream out) {
    replica
        .snapshots()
        .forEach(
            (member, snapshot) ->
                out.printf("%s %s %s%n", replica.cycle(), member, content(engine, snapshot)));
  }

  /// The SHA-256 of a snapshot's content.
  static String content(StorageEngine engine, VolumeId snapshot) {
    ByteBuffer bytes = ByteBuffer.allocate((int) engine.find(snapshot).orElseThrow().sizeInBytes());
    engine.open(snapshot).read(0, bytes);
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
