package io.coppice.engine.status;

/// The counters of the engine since it was opened. Each figure only grows.
///
/// | Component | Meaning |
/// |---|---|
/// | `deviceBytesWritten` | bytes handed to the device, log headers, checkpoints and superblocks included |
/// | `deviceBytesRead` | bytes read from the device |
/// | `batches` | log batches made stable |
/// | `records` | records in those batches |
/// | `hostBytesWritten` | payload of completed writes |
/// | `hostBytesRead` | payload of completed reads |
/// | `bytesCopiedByPointer` | bytes of completed range copies, none of which were read or written |
/// | `bytesMoved` | bytes that the cleaner stored once more |
/// | `copiesMended` | damaged copies of metadata that were written anew from the other one |
public record EngineCounters(
    long deviceBytesWritten,
    long deviceBytesRead,
    long batches,
    long records,
    long hostBytesWritten,
    long hostBytesRead,
    long bytesCopiedByPointer,
    long bytesMoved,
    long copiesMended) {}
