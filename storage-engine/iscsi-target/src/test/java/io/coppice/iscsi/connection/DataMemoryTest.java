package io.coppice.iscsi.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What one initiator may hold of the memory for data, and what is left for others.
class DataMemoryTest {

  private static final int WHOLE = 1 << 20;

  private final DataMemory memory = new DataMemory(WHOLE);

  /// Takes until it is refused.
  private static long takeAll(DataMemory part) {
    while (part.take(512)) {}
    return part.used();
  }

  @Test
  void oneInitiatorLeavesHalf() {
    assertThat(takeAll(memory.part())).isEqualTo(WHOLE / 2);
  }

  @Test
  void whoeverComesFindsAsMuchFreeAsOthersHold() {
    for (int initiators = 1; initiators <= 64; initiators++) {
      long held = takeAll(memory.part());
      long free = WHOLE - memory.used();

      assertThat(free).as("free beside %d initiators", initiators).isGreaterThanOrEqualTo(held);
      if (free < 2048) {
        break;
      }
    }
  }

  @Test
  void initiatorsThatTakeAtTheSameTimeHaveTheSame() {
    DataMemory[] parts = {memory.part(), memory.part(), memory.part(), memory.part()};
    for (int i = 0; i < WHOLE / 512; i++) {
      for (DataMemory part : parts) {
        part.take(512);
      }
    }

    assertThat(parts).allSatisfy(it -> assertThat(it.used()).isBetween(200_000L, 220_000L));
    assertThat(WHOLE - memory.used()).isGreaterThan(200_000);
  }

  @Test
  void whatIsRefusedIsNotHeld() {
    DataMemory session = memory.part().share(4096);

    assertThat(session.take(4096)).isTrue();
    assertThat(session.take(1)).isFalse();
    assertThat(session.used()).isEqualTo(4096);
    assertThat(memory.used()).isEqualTo(4096);
    session.giveBack(4096);
    assertThat(memory.used()).isZero();
  }
}
