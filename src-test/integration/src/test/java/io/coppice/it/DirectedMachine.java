package io.coppice.it;

import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.esxi.VvolDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// A virtual machine that does what tests outside of this process ask for, and is off in between.
///
/// They write the request N, from 1 on, into the file `asked-N` of a folder, and find its answer in
/// `answer-N`. Both come by a rename, as a whole.
///
/// | Request | Done | Answer |
/// |---|---|---|
/// | `write B` | turned on, its disks begin with blocks of the byte B, turned off | `done` |
/// | `read` | turned on, read, turned off | the first byte of each disk |
/// | `delete` | deleted, as vCenter does | `done` |
final class DirectedMachine implements AutoCloseable {

  private static final int DISK_MB = 16;
  private static final int BLOCK = 4096;
  private static final long PAUSE_MILLIS = 50;

  private final Path folder;
  private final VirtualMachine machine;
  private final Thread thread;
  private volatile boolean isOver;

  private DirectedMachine(Path folder, VirtualMachine machine) {
    this.folder = folder;
    this.machine = machine;
    thread = Thread.ofPlatform().name("directed-machine").daemon().start(this::serve);
  }

  /// Makes a machine of two disks in the container of a site. It is off.
  ///
  /// @param folder for requests and answers, which is made
  static DirectedMachine create(RegisteredSite site, String name, Path folder) {
    try {
      Files.createDirectory(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    VmSpec spec =
        new VmSpec(name, site.container(), 4, List.of((long) DISK_MB, (long) DISK_MB), 16, null);
    return new DirectedMachine(folder, VirtualMachine.create(site.host(), spec));
  }

  private void serve() {
    try {
      for (int next = 1; !isOver; ) {
        Path asked = folder.resolve("asked-" + next);
        if (Files.exists(asked)) {
          answer(next, answerTo(Files.readString(asked)));
          next++;
        } else {
          TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String answerTo(String request) {
    String[] words = request.strip().split(" ", 2);
    try {
      return switch (words[0]) {
        case "write" -> write(Byte.parseByte(words[1]));
        case "read" -> read();
        case "delete" -> delete();
        default -> "expected write, read or delete, got " + request;
      };
    } catch (RuntimeException e) {
      return "failed: " + e;
    }
  }

  private void answer(int number, String text) throws IOException {
    Path whole = Files.writeString(folder.resolve("answering"), text);
    Files.move(whole, folder.resolve("answer-" + number), StandardCopyOption.ATOMIC_MOVE);
  }

  private String write(byte value) {
    machine.powerOn();
    for (VvolDisk disk : machine.disks()) {
      ByteBuffer block = ByteBuffer.allocate(BLOCK);
      while (block.hasRemaining()) {
        block.put(value);
      }
      disk.disk().write(0, block.flip());
      disk.disk().sync();
    }
    machine.powerOff();
    return "done";
  }

  private String read() {
    machine.powerOn();
    String found =
        machine.disks().stream().map(DirectedMachine::firstByte).collect(Collectors.joining(" "));
    machine.powerOff();
    return found;
  }

  private static String firstByte(VvolDisk disk) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    disk.disk().read(0, block);
    return Byte.toString(block.get(0));
  }

  private String delete() {
    machine.delete();
    return "done";
  }

  @Override
  public void close() {
    isOver = true;
    thread.interrupt();
  }
}
