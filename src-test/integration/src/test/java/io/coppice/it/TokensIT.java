package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.CopyToken;
import io.coppice.driver.scsi.ScsiException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Copies by token between bound vVols, as a powered-on machine's offloaded copy asks for them.
class TokensIT {

  private static final long MIB = 1 << 20;
  private static final long SIZE_MB = 1024;
  private static final int BLOCKS = (int) (SIZE_MB * MIB / 512);
  private static final int STEP = (int) (8 * MIB);
  private static final Duration BOUND = Duration.ofMinutes(1);

  /// Parameter lists of POPULATE TOKEN and WRITE USING TOKEN with one range each.
  private static final long LISTS_OUT = 32 + 552;

  /// The token and the status that it comes with.
  private static final long TOKEN_IN = 550;

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  @Test
  void gibibyteIsCopiedWithoutABlockOnTheWire() {
    VvolDisk source = shared.site().host().bind(shared.site().create("Data", SIZE_MB, Map.of()));
    VvolDisk copy = shared.site().host().bind(shared.site().create("Data", SIZE_MB, Map.of()));
    fill(source, new Random(1));
    String content = source.disk().sha256();
    int volumes = shared.provider().rest().get("vvols").get("items").size();

    WireCounters.Reading before = shared.site().host().counters().read();
    CopyToken token = source.unit().populateToken(1, 0, BLOCKS);
    WireCounters.Reading made = shared.site().host().counters().read();
    source.disk().write(0, ByteBuffer.allocate(STEP)); // the machine goes on
    WireCounters.Reading between = shared.site().host().counters().read();
    copy.unit().writeUsingToken(2, token, 0, 0, BLOCKS);
    WireCounters.Reading after = shared.site().host().counters().read();

    assertThat(made.since(before).bytesOut() + after.since(between).bytesOut())
        .as("only the lists went out")
        .isEqualTo(LISTS_OUT);
    assertThat(made.since(before).bytesIn() + after.since(between).bytesIn())
        .as("only the token came in")
        .isEqualTo(TOKEN_IN);
    assertThat(copy.disk().sha256()).as("as it was before the write").isEqualTo(content);
    assertThat(shared.provider().rest().get("vvols").get("items").size())
        .as("the token's snapshot is no vVol")
        .isEqualTo(volumes);
  }

  @Test
  void restartEndsTokensAndLeavesNothingOfThem() {
    String id = shared.site().create("Data", 4, Map.of());
    VvolDisk disk = shared.site().host().bind(id);
    disk.disk().write(0, ByteBuffer.allocate(4096).put(0, (byte) 1));
    CopyToken token = disk.unit().populateToken(3, 0, 8);
    int volumes = shared.provider().rest().get("vvols").get("items").size();

    shared.provider().process().kill();
    shared.provider().process().start();
    shared.provider().process().awaitReady(RunningProvider.START_LIMIT);
    shared.site().host().reopenSession(BOUND);
    shared.site().host().reconnect(BOUND);

    assertThat(shared.provider().rest().get("vvols").get("items").size()).isEqualTo(volumes);
    assertThatThrownBy(() -> disk.unit().writeUsingToken(4, token, 0, 8, 8))
        .isInstanceOfSatisfying(
            ScsiException.class,
            unknown -> assertThat(unknown.is(0x5, 0x23, 0x04)).as(unknown.toString()).isTrue());
    disk.unit().writeUsingToken(5, disk.unit().populateToken(6, 0, 8), 0, 8, 8);
    ByteBuffer copied = ByteBuffer.allocate(512);
    disk.disk().read(8 * 512, copied);
    assertThat(copied.get(0)).isEqualTo((byte) 1);
  }

  private static void fill(VvolDisk disk, Random random) {
    byte[] bytes = new byte[STEP];
    for (long at = 0; at < SIZE_MB * MIB; at += STEP) {
      random.nextBytes(bytes);
      disk.disk().write(at, ByteBuffer.wrap(bytes));
    }
  }
}
