package io.coppice.scsi.copy;

import io.coppice.engine.StorageException;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.page.CopyParameters;
import io.coppice.scsi.page.CopyStatus;
import io.coppice.scsi.page.RodToken;
import io.coppice.scsi.page.RodType;
import io.coppice.scsi.parameter.CopyList;
import io.coppice.scsi.parameter.RangeList;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.setting.ScsiLimits;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.setting.TokenLimits;
import io.coppice.scsi.task.CopyOperation;
import io.coppice.scsi.task.SenseTranslation;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.transport.ScsiResponse;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The third-party copy commands (SPC-4 §5.17, SBC-4 §4.28): copies that hosts ask for, by list and
/// by token, and their status.
public final class CopyCommands {

  private static final int POPULATE_TOKEN = 0x10;
  private static final int WRITE_USING_TOKEN = 0x11;
  private static final long OPTIMAL_BYTES = 256L << 20;
  private static final int CONCURRENT = 255;

  private final ScsiLimits limits;
  private final TokenLimits tokenLimits;
  private final CopyParameters parameters;
  private final Workers workers;
  private final CopyScope scope;
  private final RodTokens tokens;

  /// @param pool names the units among which copies are made
  public CopyCommands(
      ScsiSettings settings, UUID pool, Workers workers, CopyScope scope, RodTokens tokens) {
    this.limits = settings.limits().commands();
    this.tokenLimits = settings.limits().tokens();
    this.parameters = parameters(settings, pool);
    this.workers = workers;
    this.scope = scope;
    this.tokens = tokens;
  }

  /// The limits of copies, as units tell them.
  public static CopyParameters parameters(ScsiSettings settings, UUID pool) {
    ScsiLimits limits = settings.limits().commands();
    TokenLimits tokens = settings.limits().tokens();
    return new CopyParameters(
        limits.copyDevices(),
        limits.copySegments(),
        listLimits(limits).listLengthInBytes(),
        ExtendedCopy.SEGMENT_BYTES,
        CONCURRENT,
        new CopyParameters.Tokens(
            tokens.ranges(),
            tokens.bytes(),
            OPTIMAL_BYTES,
            tokens.defaultTimeoutInSeconds(),
            tokens.maximumTimeoutInSeconds(),
            tokens.lifetimeInSeconds(),
            pool));
  }

  private static CopyList.Limits listLimits(ScsiLimits limits) {
    return new CopyList.Limits(limits.copyDevices(), limits.copySegments());
  }

  public CopyScope scope() {
    return scope;
  }

  public void execute(Task task, VolumeUnit unit, Cdb.ThirdPartyCopy cdb) {
    switch (cdb) {
      case Cdb.ExtendedCopy copy -> extendedCopy(task, unit, copy);
      case Cdb.PopulateToken populate -> populate(task, unit, populate);
      case Cdb.WriteUsingToken write -> write(task, unit, write);
      case Cdb.AbortCopy(int listId) -> abort(task, listId);
      case Cdb.ReceiveCopyStatus status -> status(task, status);
      case Cdb.ReceiveCopyData(int listId, int length) -> {
        if (known(task, listId) != null) {
          task.reply(CopyStatus.noHeldData(), length);
        }
      }
      case Cdb.ReceiveCopyFailure(int listId, int length) -> {
        CopyOperation operation = task.nexus().copies().find(listId);
        CopyStatus status = operation == null ? null : operation.status();
        task.reply(CopyStatus.encodeFailure(status), length);
      }
      case Cdb.ReceiveCopyOperatingParameters(int length) ->
          task.reply(parameters.encode(), length);
      case Cdb.ReceiveTokens receive -> tokens(task, receive);
      case Cdb.ReportTokens(int length) -> report(task, unit, length);
    }
  }

  private void extendedCopy(Task task, VolumeUnit unit, Cdb.ExtendedCopy cdb) {
    int length = cdb.parameterListLength();
    ByteBuffer list = task.command().dataOut();
    CopyList decoded =
        cdb.longList()
            ? CopyList.decodeLong(list, length, listLimits(limits))
            : CopyList.decode(list, length, listLimits(limits));
    switch (decoded) {
      case CopyList.Refused(SenseData sense) -> task.fail(sense);
      case CopyList.Plan plan -> {
        task.expectDataOut(length);
        if (length == 0) {
          task.succeeded();
          return;
        }
        CopyOperation operation = new CopyOperation(unit, cdb.longList() ? 1 : 0, plan.immediate());
        if (!plan.known() || enter(task, plan.listId(), operation)) {
          new ExtendedCopy(task, plan, operation, scope, workers).begin();
        }
      }
    }
  }

  /// Whether the operation may begin; if not, the command has ended.
  private static boolean enter(Task task, int listId, CopyOperation operation) {
    return switch (task.nexus().copies().enter(listId, operation)) {
      case ENTERED -> true;
      case DUPLICATE -> {
        task.fail(AdditionalSense.OPERATION_IN_PROGRESS);
        yield false;
      }
      case FULL -> {
        task.finish(ScsiResponse.of(ScsiStatus.TASK_SET_FULL));
        yield false;
      }
    };
  }

  private RangeList.Limits rangeLimits(VolumeUnit unit) {
    return new RangeList.Limits(
        tokenLimits.ranges(),
        tokenLimits.bytes() / VolumeUnit.BLOCK_SIZE,
        tokenLimits.maximumTimeoutInSeconds(),
        unit.blocks());
  }

  private void populate(Task task, VolumeUnit unit, Cdb.PopulateToken cdb) {
    int length = cdb.parameterListLength();
    switch (RangeList.decodePopulate(task.command().dataOut(), length, rangeLimits(unit))) {
      case RangeList.Refused(SenseData sense) -> task.fail(sense);
      case RangeList.Nothing _, RangeList.Write _ -> task.succeeded();
      case RangeList.Populate list -> {
        task.expectDataOut(length);
        Optional<RodType> type = typeOf(list);
        if (type.isEmpty()) {
          task.fail(SenseData.invalidParameter(8));
          return;
        }
        CopyOperation operation = new CopyOperation(unit, POPULATE_TOKEN, list.immediate());
        if (enter(task, cdb.listId(), operation)) {
          new Population(task, unit, operation, list, type.get()).begin();
        }
      }
    }
  }

  /// The type that the token gets: for "any", the best there is.
  private static Optional<RodType> typeOf(RangeList.Populate list) {
    return list.typed()
        ? RodType.of(list.type())
            .filter(RodType::goesOut)
            .map(type -> type == RodType.ANY ? RodType.PERSISTENT : type)
        : Optional.of(RodType.DEFAULT);
  }

  /// POPULATE TOKEN: one call of the engine, which may block.
  private final class Population {
    private final Task task;
    private final VolumeUnit unit;
    private final CopyOperation operation;
    private final RangeList.Populate list;
    private final RodType type;

    Population(
        Task task,
        VolumeUnit unit,
        CopyOperation operation,
        RangeList.Populate list,
        RodType type) {
      this.task = task;
      this.unit = unit;
      this.operation = operation;
      this.list = list;
      this.type = type;
    }

    void begin() {
      if (list.immediate()) {
        task.answer();
      }
      workers.run(task, this::run, this::refused);
    }

    private void refused() {
      operation.end(operation.status().refused(ScsiStatus.TASK_SET_FULL.code()));
    }

    private void run() {
      try {
        if (!ends()) {
          make();
        }
      } catch (StorageException.OutOfSpace e) {
        fail(SenseData.illegalRequest(AdditionalSense.INSUFFICIENT_RESOURCES_TO_CREATE_ROD));
      } catch (StorageException e) {
        fail(SenseTranslation.senseOf(e));
      } catch (RuntimeException | Error e) {
        operation.end(operation.status().failed(MultiStepCopy.INTERNAL));
        throw e;
      }
    }

    private void make() {
      String owner = task.nexus().initiator().name();
      Optional<TokenData> made =
          tokens.make(unit, owner, type, list.ranges(), list.timeoutInSeconds());
      if (made.isEmpty()) {
        fail(SenseData.illegalRequest(AdditionalSense.INSUFFICIENT_RESOURCES_TO_CREATE_ROD_TOKEN));
      } else if (ends()) {
        tokens.discard(made.get());
      } else {
        CopyStatus all = operation.status().advanced(0, made.get().bytes());
        operation.end(all.ended(CopyStatus.State.COMPLETED), made.get().token());
        task.succeeded();
      }
    }

    /// Whether somebody wants its end. If so, it has ended, and so has the command.
    private boolean ends() {
      if (!task.isAborted() && !operation.isCancelled()) {
        return false;
      }
      operation.end(operation.status().terminated());
      task.fail(MultiStepCopy.cancelled()); // answered TASK ABORTED if it is that
      return true;
    }

    private void fail(SenseData sense) {
      operation.end(operation.status().failed(sense));
      task.fail(sense);
    }
  }

  private void write(Task task, VolumeUnit unit, Cdb.WriteUsingToken cdb) {
    if (!task.mayWrite(unit)) {
      return;
    }
    int length = cdb.parameterListLength();
    switch (RangeList.decodeWrite(task.command().dataOut(), length, rangeLimits(unit))) {
      case RangeList.Refused(SenseData sense) -> task.fail(sense);
      case RangeList.Nothing _, RangeList.Populate _ -> task.succeeded();
      case RangeList.Write list -> {
        task.expectDataOut(length);
        switch (tokens.acquire(list.token().bytes())) {
          case RodTokens.Found.Refused(AdditionalSense why) -> task.fail(why);
          case RodTokens.Found.Zeros _ -> write(task, unit, cdb.listId(), list, null);
          case RodTokens.Found.Held(TokenData held) -> {
            if (list.offset() >= held.bytes() / VolumeUnit.BLOCK_SIZE) {
              tokens.release(held, false);
              task.fail(SenseData.invalidParameter(8));
            } else if (!write(task, unit, cdb.listId(), list, held)) {
              tokens.release(held, false);
            }
          }
        }
      }
    }
  }

  /// @param held null for zeros
  /// @return whether it has begun; if not, the command has ended
  private boolean write(
      Task task, VolumeUnit unit, int listId, RangeList.Write list, @Nullable TokenData held) {
    CopyOperation operation = new CopyOperation(unit, WRITE_USING_TOKEN, list.immediate());
    if (!enter(task, listId, operation)) {
      return false;
    }
    WriteUsingToken.Source source =
        held == null
            ? WriteUsingToken.Source.zeros()
            : new WriteUsingToken.Source(held, tokens, list.delete());
    new WriteUsingToken(task, unit, operation, list, source, workers).begin();
    return true;
  }

  private static void abort(Task task, int listId) {
    CopyOperation operation = task.nexus().copies().find(listId);
    if (operation == null || !operation.cancel(task::succeeded)) {
      task.fail(SenseData.invalidCdb(2));
    }
  }

  /// The operation with an identifier. Null if there is none; then the command has ended.
  private static @Nullable CopyOperation known(Task task, int listId) {
    CopyOperation operation = task.nexus().copies().find(listId);
    if (operation == null) {
      task.fail(SenseData.invalidCdb(2));
    }
    return operation;
  }

  private static void status(Task task, Cdb.ReceiveCopyStatus cdb) {
    CopyOperation operation = known(task, cdb.listId());
    if (operation != null) {
      CopyStatus status = operation.status();
      task.reply(cdb.longStatus() ? status.encodeLong() : status.encode(), cdb.allocationLength());
    }
  }

  /// Tells the tokens that POPULATE TOKEN made, once (SPC-4 §6.26).
  private static void tokens(Task task, Cdb.ReceiveTokens cdb) {
    CopyOperation operation = known(task, cdb.listId());
    if (operation == null) {
      return;
    }
    CopyStatus status = operation.status();
    byte[] token = status.state().isEnd() ? operation.token() : null;
    ByteBuffer told = status.encodeTokens(token);
    boolean all = token != null && told.remaining() <= cdb.allocationLength();
    if (status.state().isEnd() && (all || cdb.allocationLength() == 0)) {
      task.nexus().copies().forget(cdb.listId(), operation);
    }
    task.reply(told, cdb.allocationLength());
  }

  private void report(Task task, VolumeUnit unit, int length) {
    List<byte[]> all = tokens.of(unit.volume().id());
    ByteBuffer to = ByteBuffer.allocate(8 + RodToken.MANAGEMENT_LENGTH * all.size());
    to.putInt(to.capacity() - 4).putInt(0);
    all.forEach(to::put);
    task.reply(to.flip(), length);
  }
}
