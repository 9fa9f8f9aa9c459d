package io.coppice.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.SpaceAccounting.Writer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The zones that are left to checkpoints, whoever writes as much as it may.
class SpaceAccountingTest {

  private static final int PER_ZONE = 64;
  private static final int ZONES = 96;

  /// The log holds two zones, and takes a free one when it goes on to the second.
  @ParameterizedTest
  @EnumSource(Writer.class)
  void noWriterTakesAZoneThatACheckpointMayNeed(Writer writer) {
    for (int taken = 0; taken <= ZONES; taken++) {
      for (int left = 0; left <= PER_ZONE; left++) {
        Segments segments = new Segments(PER_ZONE * PoolLayout.BLOCK, ZONES);
        for (int i = 0; i < taken; i++) {
          segments.takeZone();
        }
        SpaceAccounting space = new SpaceAccounting(segments);
        space.setOpenRoom((long) (left + PER_ZONE) * PoolLayout.BLOCK);

        long most = Math.floorDiv(space.room(writer), PoolLayout.BLOCK);
        long filled = most <= left ? 0 : Math.ceilDiv(most - left, (long) PER_ZONE);

        assertThat(filled == 0 || segments.freeZones() - filled >= space.zonesForCheckpoints())
            .as("%d zones free, %d blocks left in the present one", segments.freeZones(), left)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Writer.class)
  void aWriterMayWriteWhereMoreThanThatIsFree(Writer writer) {
    Segments segments = new Segments(PER_ZONE * PoolLayout.BLOCK, ZONES);
    SpaceAccounting space = new SpaceAccounting(segments);
    space.setOpenRoom(2L * PER_ZONE * PoolLayout.BLOCK);

    while (segments.freeZones() > space.zonesForCheckpoints() + 4) {
      assertThat(space.room(writer)).isPositive();
      segments.takeZone();
    }
  }
}
