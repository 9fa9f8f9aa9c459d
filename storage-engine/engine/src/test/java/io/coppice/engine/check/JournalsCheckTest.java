package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.StorageException;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.testing.MemoryDevice;
import io.coppice.engine.testing.QuietEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Journals that contradict themselves, or the hidden volumes that they name, with all checksums
/// right.
@ExtendWith(QuietEngine.class)
class JournalsCheckTest {

  private static final int NEXT_SLOT = 12;
  private static final int LIST_FROM = 28;
  private static final UsedPool POOL = UsedPool.withJournal(12, EngineOptions.MIN_MAP_MEMORY);

  private final PoolImage image = new PoolImage(POOL.image());
  private final JournalRow row = image.tables.journals().getFirst();

  private CheckReport check() {
    image.seal();
    return PoolChecker.check(new MemoryDevice(image.bytes), false);
  }

  private static int lengthOf(JournalRow.Tier tier) {
    return 64 + tier.list().length + 21 * tier.loans().size() + 8 * tier.points().length;
  }

  /// Where the row of the journal begins in the last chunk: its table is the last one.
  private int begin() {
    int length = 20 + 12 * row.bases().size();
    for (JournalRow.Tier tier : row.tiers()) {
      length += lengthOf(tier);
    }
    return image.chunks.getLast().length() - length;
  }

  private void assertFound(int at, int more, String sentence) {
    PoolImage.Piece chunk = image.chunks.getLast();
    int before = chunk.view().getInt(at);
    chunk.view().putInt(at, before + more);
    assertThat(check().findings())
        .anySatisfy(finding -> assertThat(finding.sentence()).contains(sentence));
    chunk.view().putInt(at, before);
    assertThat(check().isClean()).isTrue();
  }

  @Test
  void aJournalIsClean() {
    assertThat(check().findings()).isEmpty();
  }

  @Test
  void aJournalOfAnotherVolumeIsFound() {
    assertFound(begin(), 1000, "one journal of a volume");
  }

  @Test
  void aHiddenVolumeThatIsNotThereIsFound() {
    assertFound(begin() + 16, 1000, "of the journal of volume");
    assertFound(image.chunks.getLast().length() - 4, 1000, "of the journal of volume");
  }

  @Test
  void slotsThatTheMapDoesNotHaveAreFound() {
    assertFound(begin() + 16 + NEXT_SLOT, 1, "slots");
  }

  @Test
  void aTierThatCannotBeIsRefused() {
    PoolImage.Piece chunk = image.chunks.getLast();
    chunk.view().putInt(begin() + 16 + LIST_FROM, 7);

    assertThat(check().findings())
        .anySatisfy(finding -> assertThat(finding.sentence()).contains("tier of a journal"));
    assertThatThrownBy(
            () ->
                RedirectOnWriteEngine.open(
                    new MemoryDevice(image.bytes), EngineOptions.defaults(), UsedPool.CLOCK))
        .isInstanceOf(StorageException.Damaged.class)
        .hasMessageContaining("tier of a journal");
  }

  @Test
  void aJournalWithoutItsHiddenVolumeIsNotOpened() {
    PoolImage.Piece chunk = image.chunks.getLast();
    int at = begin() + 16;
    chunk.view().putInt(at, chunk.view().getInt(at) + 1000);
    image.seal();

    assertThatThrownBy(
            () ->
                RedirectOnWriteEngine.open(
                    new MemoryDevice(image.bytes), EngineOptions.defaults(), UsedPool.CLOCK))
        .isInstanceOf(StorageException.Damaged.class)
        .hasMessageContaining("of a journal");
  }
}
