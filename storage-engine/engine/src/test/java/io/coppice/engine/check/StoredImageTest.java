package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.MemoryDevice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Pools that were written once, by the engine as it was then, and are kept as files: every later
/// one must read them. One per format version and set of features; none is ever written anew.
///
/// `-Dstored.image=FOLDER` writes the pair of files for what the engine writes today.
class StoredImageTest {

  @TempDir Path folder;

  @Test
  void aPoolOfVersionOneWithoutFeaturesStillReads() throws IOException {
    assertReads("version-1");
  }

  @Test
  void aPoolOfVersionOneWithPagedMapsStillReads() throws IOException {
    assertReads("version-1-paged-maps");
  }

  @Test
  void aPoolOfVersionOneWithTwoCopiesOfMetadataStillReads() throws IOException {
    assertReads("version-1-twins");
  }

  @Test
  void aPoolOfVersionOneWithSurvivorsStillReads() throws IOException {
    assertReads("version-1-survivors");
  }

  @Test
  void aPoolOfVersionOneWithShortLeavesStillReads() throws IOException {
    assertReads("version-1-short-leaves");
  }

  @Test
  void aPoolOfVersionOneWithPlacementRunsStillReads() throws IOException {
    assertReads("version-1-placement-runs");
  }

  @Test
  void aPoolOfVersionOneWithAccountsStillReads() throws IOException {
    assertReads("version-1-accounts");
  }

  @Test
  void theFilesOfTodayAreOfTheNewestVersionAndRead() throws IOException {
    UsedPool used = new UsedPool(20_261_121, EngineOptions.MIN_MAP_MEMORY);
    assertCanBeKept("version-" + PoolLayout.VERSION, used.image(), used.contents());
    CleanedPool cleaned = new CleanedPool(20_261_122);
    assertCanBeKept(
        "version-" + PoolLayout.VERSION + "-cleaned", cleaned.image(), cleaned.contents());
  }

  private void assertCanBeKept(String name, byte[] pool, Map<VolumeId, byte[]> contents)
      throws IOException {
    String given = System.getProperty("stored.image");
    Path into = given == null ? folder : Files.createDirectories(Path.of(given));
    try (OutputStream out =
        new GZIPOutputStream(
            Base64.getMimeEncoder()
                .wrap(Files.newOutputStream(into.resolve(name + ".pool.gz.base64"))))) {
      out.write(pool);
    }
    Files.writeString(into.resolve(name + ".sha256"), lines(digests(contents)));
    try (InputStream image = Files.newInputStream(into.resolve(name + ".pool.gz.base64"))) {
      assertReads(image, Files.readString(into.resolve(name + ".sha256")));
    }
  }

  @Test
  void aPoolOfVersionOneWithPagedBooksStillReads() throws IOException {
    assertReads("version-1-paged-books");
  }

  @Test
  void aPoolOfVersionOneWithShortBooksStillReads() throws IOException {
    assertReads("version-1-short-books");
  }

  private static void assertReads(String name) throws IOException {
    try (InputStream image = StoredImageTest.class.getResourceAsStream(name + ".pool.gz.base64");
        InputStream digests = StoredImageTest.class.getResourceAsStream(name + ".sha256")) {
      assertThat(image).as(name).isNotNull();
      assertReads(image, new String(digests.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static void assertReads(InputStream image, String digests) throws IOException {
    MemoryDevice device =
        new MemoryDevice(new GZIPInputStream(Base64.getMimeDecoder().wrap(image)).readAllBytes());
    assertThat(PoolChecker.check(device, false).findings()).isEmpty();
    try (StorageEngine engine = open(device)) {
      assertThat(lines(digests(contents(engine)))).isEqualTo(digests);
      engine.records().apply(OperationId.random(), List.of(new RecordChange.Put("new", "1")));
    }
    // Whatever wrote it, all metadata is stored twice from here on.
    assertThat(PoolChecker.check(device, false).findings()).isEmpty();
    try (StorageEngine engine = open(device)) {
      engine.list().forEach(info -> engine.delete(OperationId.random(), info.id()));
    }
    assertThat(PoolChecker.check(device, false).findings()).isEmpty();
    try (StorageEngine engine = open(device)) {
      assertThat(engine.list()).isEmpty();
    }
  }

  private static StorageEngine open(MemoryDevice device) {
    return RedirectOnWriteEngine.open(
        device, EngineOptions.defaults().withReaderThreads(1), UsedPool.CLOCK);
  }

  private static Map<String, byte[]> contents(StorageEngine engine) {
    Map<String, byte[]> contents = new TreeMap<>();
    for (VolumeInfo info : engine.list()) {
      ByteBuffer into = ByteBuffer.allocateDirect((int) info.sizeInBytes());
      Await.io(done -> engine.open(info.id()).read(0, into, done));
      byte[] content = new byte[into.position()];
      into.flip().get(content);
      contents.put(info.id().toString(), content);
    }
    return contents;
  }

  private static Map<String, String> digests(Map<?, byte[]> contents) {
    Map<String, String> digests = new TreeMap<>();
    contents.forEach((volume, bytes) -> digests.put(volume.toString(), sha256(bytes)));
    return digests;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String lines(Map<String, String> digests) {
    return digests.entrySet().stream()
        .map(entry -> entry.getValue() + "  " + entry.getKey() + "\n")
        .collect(Collectors.joining());
  }
}
