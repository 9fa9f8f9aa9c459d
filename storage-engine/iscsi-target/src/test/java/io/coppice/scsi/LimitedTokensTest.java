package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.op;
import static io.coppice.scsi.Tokens.fill;
import static io.coppice.scsi.Tokens.make;
import static io.coppice.scsi.Tokens.range;
import static io.coppice.scsi.Tokens.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.scsi.limit.ManualTimer;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Copies by token at a unit whose I/Os a second are limited: each counts as one and waits as any
/// other does, in order with them, and holds up nobody at another unit.
class LimitedTokensTest {

  private static final String LUN_1 = "0001000000000000";
  private static final String READ = "28 00 00000000 00 0001 00";
  private static final Limits TEN = new Limits(10, 0);
  private static final int MANY = 30;

  private final ManualTimer alarm = new ManualTimer();
  private final Fixture fixture = new Fixture(new MemoryEngine(), alarm);
  private Initiator host;
  private String token;

  @BeforeEach
  void export() {
    VolumeId limited = fixture.exported(1 << 20);
    fixture.exported(1 << 20);
    host = fixture.plain();
    host.settle(LUN_1);
    fill(host, LUN_1, 0, 8, 0x11);
    token = make(host, LUN_1, 1, range(0, 8));
    fixture.engine.setAttributes(op(), limited, LimitAttributes.attributesOf(TEN), Set.of());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void tokensAreMadeAtTheRateOfTheUnit() {
    waitLikeOthers(list -> Tokens.begin(host, LUN_0, "10", list, Tokens.populateList(range(0, 8))));
  }

  @Test
  void tokensAreUsedAtTheRateOfTheUnit() {
    String list = Tokens.writeList("00", 0, token, range(16, 8));
    waitLikeOthers(id -> Tokens.begin(host, LUN_0, "11", id, list));

    assertThat(read(host, LUN_1, 16, 8)).as("the other unit").containsOnly(0);
  }

  private interface Command {
    Pending begin(int list);
  }

  private void waitLikeOthers(Command command) {
    List<Pending> commands = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      commands.add(command.begin(100 + i));
    }
    Pending last = host.begin(LUN_0, READ);
    assertNeighbourWaitsForNothing();

    alarm.advanceMillis(1_000);
    awaitEnded(commands, 9);
    assertThat(ended(commands)).isBetween(9, 13);
    assertThat(last.reply()).as("a READ that came after them").isNotDone();
    alarm.advanceMillis(3_000);

    awaitEnded(commands, MANY);
    assertThat(commands)
        .allSatisfy(each -> assertThat(Initiator.await(each).status()).isEqualTo(ScsiStatus.GOOD));
    assertThat(Initiator.await(last).status()).isEqualTo(ScsiStatus.GOOD);
  }

  /// Time stands still, so whatever waited would wait for ever.
  private void assertNeighbourWaitsForNothing() {
    for (int i = 0; i < MANY; i++) {
      assertThat(Tokens.write(host, LUN_1, 500 + i, token, range(32, 8)).code()).isEmpty();
      assertThat(read(host, LUN_1, 32, 8)).containsOnly(0x11);
    }
  }

  private static void awaitEnded(List<Pending> commands, int count) {
    Await.until("%d commands at their end".formatted(count), () -> ended(commands) >= count);
  }

  private static int ended(List<Pending> commands) {
    return (int) commands.stream().filter(command -> command.reply().isDone()).count();
  }
}
