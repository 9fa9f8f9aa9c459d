package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.check.finding.Finding;
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
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
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
  void aPoolOfVersionOneWithPackedCountsStillReads() throws IOException {
    assertReads("version-1-packed-counts");
  }

  @Test
  void aPoolOfVersionOneWithAccountsStillReads() throws IOException {
    assertReads("version-1-accounts");
  }

  @Test
  void aPoolOfVersionOneWithSmallVolumesStillReads() throws IOException {
    assertReads("version-1-small-volumes");
  }

  @Test
  void theFilesOfTodayAreOfTheNewestVersionAndRead() throws IOException {
    String name = "version-" + PoolLayout.VERSION;
    UsedPool used = new UsedPool(20_261_121, EngineOptions.MIN_MAP_MEMORY);
    assertCanBeKept(name, used.image(), null, used.contents());
    CleanedPool cleaned = new CleanedPool(20_261_122);
    assertCanBeKept(name + "-cleaned", cleaned.image(), null, cleaned.contents());
    PoolOfSmallVolumes small = new PoolOfSmallVolumes(20_261_124);
    assertCanBeKept(name + "-small-volumes", small.image(), null, small.contents());
    UsedPool mirrored = UsedPool.mirrored(20_261_122, EngineOptions.MIN_MAP_MEMORY);
    assertCanBeKept(name + "-mirror", mirrored.image(), mirrored.second(), mirrored.contents());
  }

  private void assertCanBeKept(
      String name, byte[] pool, byte @Nullable [] second, Map<VolumeId, byte[]> contents)
      throws IOException {
    String given = System.getProperty("stored.image");
    Path into = given == null ? folder : Files.createDirectories(Path.of(given));
    write(into, name, pool);
    if (second != null) {
      write(into, name + "-second", second);
    }
    Files.writeString(into.resolve(name + ".sha256"), lines(digests(contents)));
    assertReads(
        read(into, name),
        second == null ? null : read(into, name + "-second"),
        Files.readString(into.resolve(name + ".sha256")));
  }

  private static MemoryDevice read(Path folder, String name) throws IOException {
    return device(Files.newInputStream(folder.resolve(name + ".pool.gz.base64")));
  }

  private static void write(Path into, String name, byte[] image) throws IOException {
    try (OutputStream out =
        new GZIPOutputStream(
            Base64.getMimeEncoder()
                .wrap(Files.newOutputStream(into.resolve(name + ".pool.gz.base64"))))) {
      out.write(image);
    }
  }

  @Test
  void aPoolOfVersionOneOnTwoDevicesStillReadsFromBothAndFromEach() throws IOException {
    String digests = stored("version-1-mirror.sha256");
    assertReads(device("version-1-mirror"), device("version-1-mirror-second"), digests);
    EngineOptions alone = EngineOptions.defaults().withStartsDegraded(true);
    for (boolean first : new boolean[] {true, false}) {
      MemoryDevice device = device(first ? "version-1-mirror" : "version-1-mirror-second");
      try (StorageEngine engine =
          RedirectOnWriteEngine.open(
              first ? device : null, first ? null : device, alone, UsedPool.CLOCK)) {
        assertThat(lines(digests(contents(engine)))).isEqualTo(digests);
      }
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
    assertReads(device(name), null, stored(name + ".sha256"));
  }

  private static String stored(String file) throws IOException {
    try (InputStream in = StoredImageTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static MemoryDevice device(String name) throws IOException {
    return device(
        Objects.requireNonNull(
            StoredImageTest.class.getResourceAsStream(name + ".pool.gz.base64"), name));
  }

  private static MemoryDevice device(InputStream image) throws IOException {
    try (InputStream in = new GZIPInputStream(Base64.getMimeDecoder().wrap(image))) {
      return new MemoryDevice(in.readAllBytes());
    }
  }

  private static void assertReads(
      MemoryDevice device, @Nullable MemoryDevice second, String digests) {
    assertThat(findings(device, second)).isEmpty();
    VolumeId small = new VolumeId(new UUID(8, 1));
    try (StorageEngine engine = open(device, second)) {
      assertThat(lines(digests(contents(engine)))).isEqualTo(digests);
      engine.create(OperationId.random(), VolumeSpec.thin(small, 4096));
      engine.records().apply(OperationId.random(), List.of(new RecordChange.Put("new", "1")));
    }
    // Whatever wrote it, all metadata is stored twice from here on.
    assertThat(findings(device, second)).isEmpty();
    try (StorageEngine engine = open(device, second)) {
      assertThat(engine.find(small)).isPresent();
      engine.list().forEach(info -> engine.delete(OperationId.random(), info.id()));
    }
    assertThat(findings(device, second)).isEmpty();
    try (StorageEngine engine = open(device, second)) {
      assertThat(engine.list()).isEmpty();
    }
  }

  private static List<Finding> findings(MemoryDevice device, @Nullable MemoryDevice second) {
    CheckReport report =
        second == null
            ? PoolChecker.check(device, false)
            : PoolChecker.check(device, second, false);
    return report.findings();
  }

  private static StorageEngine open(MemoryDevice device, @Nullable MemoryDevice second) {
    return RedirectOnWriteEngine.open(
        device, second, EngineOptions.defaults().withReaderThreads(1), UsedPool.CLOCK);
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
