package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.format.ByteSink;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.AccountTable;
import io.coppice.engine.format.table.BlockTables;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.format.table.LiveRow;
import io.coppice.engine.format.table.MovedRow;
import io.coppice.engine.format.table.PageRow;
import io.coppice.engine.format.table.Rows;
import io.coppice.engine.format.table.SpaceTable;
import io.coppice.engine.format.table.StateTables;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tables of a checkpoint, read and written again: byte for byte as they were.
class TablesCodecTest {

  private static final long SEED = Long.getLong("test.seed", 20_261_123L);

  @Test
  void theTablesOfAStoredPoolAreWrittenAsTheyWereRead() throws IOException {
    try (InputStream in =
        new GZIPInputStream(
            Base64.getMimeDecoder()
                .wrap(
                    Objects.requireNonNull(
                        getClass()
                            .getResourceAsStream("version-1-packed-counts.pool.gz.base64"))))) {
      assertSame(new PoolImage(in.readAllBytes()));
    }
  }

  @Test
  void theTablesOfAPoolWithPagesAreWrittenAsTheyWereRead() {
    Received rest =
        assertSame(new PoolImage(new UsedPool(SEED, EngineOptions.MIN_MAP_MEMORY).image()));
    assertThat(rest.live).isNotEmpty();
    assertThat(rest.pages).hasAtLeastOneElementOfType(PageRow.Stored.class);
  }

  @Test
  void theTablesOfAPoolWithMovedBlocksAreWrittenAsTheyWereRead() {
    Received rest = assertSame(new PoolImage(new CleanedPool(SEED).image()));
    assertThat(rest.pages).anyMatch(row -> row.counts().moved() > 0);
  }

  @Test
  void theTablesOfAPoolWithAJournalAreWrittenAsTheyWereRead() {
    Received rest =
        assertSame(new PoolImage(UsedPool.withJournal(SEED, EngineOptions.MIN_MAP_MEMORY).image()));
    assertThat(rest.journals).hasSize(1);
    assertThat(rest.journals.getFirst().tiers()).hasSize(2);
    assertThat(rest.journals.getFirst().bases()).hasSize(1);
  }

  private static Received assertSame(PoolImage image) {
    byte[] stored = image.tableBytes();
    Superblock.Features features = image.superblock.features();
    int blocks = image.superblock.geometry().zoneSize() / PoolLayout.BLOCK;
    ByteSource in = new ByteSource(stored);
    StateTables state = StateTables.decode(in, features);
    Received rest = new Received();
    BlockTables.decode(in, features, state.versions().size(), blocks, rest);

    ByteSink out = new ByteSink(stored.length);
    state.encode(out);
    rest.tables().encode(out, features);

    assertThat(out.toBytes()).as("seed %d", SEED).isEqualTo(stored);
    return rest;
  }

  private static final class Received implements BlockTables.Receiver {

    private final List<MovedRow> moved = new ArrayList<>();
    private final List<LiveRow> live = new ArrayList<>();
    private final List<PageRow> pages = new ArrayList<>();
    private @Nullable SpaceTable space;
    private @Nullable AccountTable accounts;
    private final List<JournalRow> journals = new ArrayList<>();

    BlockTables tables() {
      return new BlockTables(
          Rows.of(moved, Function.identity()),
          Objects.requireNonNull(space),
          Rows.of(live, Function.identity()),
          Rows.of(pages, Function.identity()),
          Objects.requireNonNull(accounts),
          journals);
    }

    @Override
    public void moved(MovedRow row) {
      moved.add(row);
    }

    @Override
    public void space(SpaceTable table) {
      space = table;
    }

    @Override
    public void live(LiveRow row) {
      live.add(row);
    }

    @Override
    public void page(PageRow row) {
      pages.add(row);
    }

    @Override
    public void journal(JournalRow row) {
      journals.add(row);
    }

    @Override
    public void accounts(AccountTable table) {
      accounts = table;
    }
  }
}
