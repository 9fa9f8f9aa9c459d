package io.coppice.fuzz;

import java.util.List;

/// One decoder, or what else takes bytes from a peer or the pool, as the fuzzer drives it. Belongs
/// to one thread; nothing of an input may be left when the next one comes.
public interface FuzzTarget extends AutoCloseable {

  /// What an input may cost.
  ///
  /// @param bytes of heap allocated, whatever the input
  /// @param bytesPerByte more, for each byte of input
  /// @param steps branches and calls in the target's own classes, whatever the input
  /// @param stepsPerByte more, for each byte of input
  record Bounds(long bytes, int bytesPerByte, long steps, int stepsPerByte) {

    long bytes(int length) {
      return bytes + (long) bytesPerByte * length;
    }

    long steps(int length) {
      return steps + (long) stepsPerByte * length;
    }
  }

  String name();

  /// Inputs that mean something, at least one.
  List<byte[]> seeds();

  /// Pieces of inputs that mean something: names, tags, numbers.
  default List<byte[]> tokens() {
    return List.of();
  }

  /// Longest input in bytes.
  int lengthMax();

  Bounds bounds();

  /// How many inputs of a run of `inputs` it gets; fewer where each of them takes long.
  default long share(long inputs) {
    return inputs;
  }

  /// Takes one input. An exception or error is a finding, as is a promise that was not kept, which
  /// the target throws as an [AssertionError].
  ///
  /// @return what came out, without what only this input has, such as `Refused 26/00`
  String run(byte[] input) throws Exception;

  @Override
  default void close() {}
}
