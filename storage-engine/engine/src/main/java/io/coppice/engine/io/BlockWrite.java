package io.coppice.engine.io;

import io.coppice.engine.StorageException;
import io.coppice.engine.log.WriteCommand;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A write of whole blocks of a volume on its way into the log.
final class BlockWrite extends WriteCommand
    implements SpaceGate.Demand, Admission.Touching, MapEditor.Entries {

  private final OpenPool pool;
  private final boolean whole;
  private final IoCommand io;
  private final SpaceGate.Claim claim = new SpaceGate.Claim();
  private @Nullable VolumeState volume;

  /// @param whole readers must see all of it or nothing
  BlockWrite(OpenPool pool, VolumeState volume, BlockRun run, boolean whole, IoCommand io) {
    this(pool, whole, io);
    store(volume, run.first, run.payload);
  }

  /// A write for which [#store] is called.
  BlockWrite(OpenPool pool, boolean whole, IoCommand io) {
    super(pool.log());
    this.pool = pool;
    this.whole = whole;
    this.io = io;
  }

  /// Sets what it stores from now on, before it is first submitted or after it has ended.
  void store(VolumeState into, long first, ByteBuffer payload) {
    volume = into;
    store(into.number(), first, payload);
  }

  /// Keeps no reference to what it stored.
  @Override
  protected void letGo() {
    super.letGo();
    volume = null;
  }

  @Override
  public VolumeState volume() {
    return Objects.requireNonNull(volume, "the volume of a command that is not under way");
  }

  /// Blocks from `first` on with their content.
  record BlockRun(long first, ByteBuffer payload) {}

  @Override
  public boolean touches(Admission.Ranges ranges) {
    return ranges.range(volume(), first(), blocks());
  }

  @Override
  public int stored() {
    return blocks();
  }

  @Override
  protected boolean admit() {
    return pool.gate().admit(this, claim, this);
  }

  @Override
  public void entersQueue(long at) {
    io.entersQueue(at);
  }

  @Override
  protected void leavesQueue(long at) {
    io.leavesQueue(at);
  }

  @Override
  protected void apply() {
    pool.gate().settle(claim);
    VolumeState into = volume();
    long before = into.head().mapped();
    pool.blocks().write(into, first(), blocks(), this, whole);
    if (!into.isDeleted()) {
      long added = into.head().mapped() - before;
      pool.sampler().wrote(into.countWritten(), bytes(), at(), blocks(), blocks() - added);
    }
    io.done();
  }

  @Override
  protected void fail(StorageException failure) {
    pool.gate().settle(claim);
    io.failed(failure);
  }
}
