package io.coppice.admin;

import static io.coppice.admin.RequestsTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.testing.Await;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Differences between points of a volume over REST, beside a model that notes every change.
class DifferencesTest {

  private static final int BLOCK = 4096;
  private static final int MIB = 1 << 20;

  private final AdminServer server = new AdminServer();
  private final String container = server.container("compared");
  private final SplittableRandom random = new SplittableRandom(31);

  @AfterEach
  void stop() {
    server.close();
  }

  private VolumeId volume(String name) {
    return VolumeId.parse(server.volume(container, name));
  }

  private VolumeId snapshot(VolumeId volume, String name) {
    Answer job =
        server.post(
            "vvols/" + volume + "/snapshots?wait=10s", "{\"name\": \"%s\"}".formatted(name));
    assertThat(job.text("/state")).as(job.toString()).isEqualTo("success");
    return VolumeId.parse(job.text("/result/id"));
  }

  private static String query(VolumeId of, VolumeId since) {
    return "?of=%s&since=%s".formatted(of, since);
  }

  /// All parts, of random sizes.
  private List<ByteRange> ranges(VolumeId of, VolumeId since) {
    List<ByteRange> ranges = new ArrayList<>();
    String next = "";
    do {
      String limit = "&limit=" + (1 + random.nextInt(5));
      Answer part = server.get("differences" + query(of, since) + limit + next);
      assertThat(part.status()).as(part.toString()).isEqualTo(200);
      for (JsonNode item : part.json().at("/items")) {
        ranges.add(new ByteRange(item.get("offset").asLong(), item.get("length").asLong()));
      }
      String cursor = part.text("/next");
      next = cursor == null || cursor.isEmpty() ? "" : "&cursor=" + cursor;
    } while (!next.isEmpty());
    return ranges;
  }

  private static List<ByteRange> runs(BitSet blocks) {
    List<ByteRange> runs = new ArrayList<>();
    for (int at = blocks.nextSetBit(0); at >= 0; at = blocks.nextSetBit(blocks.nextClearBit(at))) {
      long length = (long) (blocks.nextClearBit(at) - at) * BLOCK;
      runs.add(new ByteRange((long) at * BLOCK, length));
    }
    return runs;
  }

  /// Random writes, unmaps, growths and reverts: between each two points exactly the blocks differ
  /// whose number of change differs.
  @Test
  void rangesAndCellsAreThoseOfAModel() {
    VolumeId disk = volume("disk");
    Map<VolumeId, Map<Integer, Integer>> points = new HashMap<>();
    Map<Integer, Integer> now = new HashMap<>();
    List<VolumeId> snapshots = new ArrayList<>();
    long size = 1L << 30;
    for (int round = 1; round <= 8; round++) {
      for (int i = 0; i < 12; i++) {
        change(disk, round * 100 + i, now);
      }
      VolumeId point = snapshot(disk, "s" + round);
      snapshots.add(point);
      points.put(point, Map.copyOf(now));
      if (round == 3) {
        size += 64L * MIB;
        server.patch("volumes/" + disk, "{\"size\": %d}".formatted(size));
      }
      if (round == 5) {
        VolumeId back = snapshots.get(3);
        assertThat(server.post("snapshots/" + back + "/revert?wait=10s", null).status())
            .isEqualTo(200);
        now = new HashMap<>(points.get(back));
      }
    }
    change(disk, 9999, now);
    points.put(disk, now);

    List<VolumeId> all = new ArrayList<>(points.keySet());
    for (VolumeId of : all) {
      VolumeId since = all.get(random.nextInt(all.size()));
      List<ByteRange> expected = runs(differing(points.get(of), points.get(since)));
      assertThat(ranges(of, since)).isEqualTo(expected);
      if (of.equals(disk) || random.nextInt(3) == 0) {
        assertCells(of, since, expected);
      }
    }
  }

  private void change(VolumeId disk, int number, Map<Integer, Integer> blocks) {
    int first = random.nextInt(2000);
    int count = 1 + random.nextInt(20);
    if (number % 4 == 0) {
      Await.io(
          done ->
              server.control.engine.open(disk).unmap((long) first * BLOCK, count * BLOCK, done));
    } else {
      server.control.write(disk, (long) first * BLOCK, count * BLOCK, number);
    }
    for (int i = first; i < first + count; i++) {
      if (number % 4 == 0) {
        blocks.remove(i);
      } else {
        blocks.put(i, number);
      }
    }
  }

  private static BitSet differing(Map<Integer, Integer> one, Map<Integer, Integer> other) {
    BitSet blocks = new BitSet();
    for (int block = 0; block < 2100; block++) {
      blocks.set(block, one.getOrDefault(block, 0) != other.getOrDefault(block, 0).intValue());
    }
    return blocks;
  }

  private void assertCells(VolumeId of, VolumeId since, List<ByteRange> ranges) {
    int cells = 1 + random.nextInt(4096);
    Answer map = server.get("differences/map" + query(of, since) + "&cells=" + cells);
    assertThat(map.status()).as(map.toString()).isEqualTo(200);
    long size = map.number("/size");
    long[] expected = new long[cells];
    for (ByteRange range : ranges) {
      for (long at = range.offset(); at < range.end(); at += 512) {
        // Cells of this size may part a sector.
        for (long sub = at; sub < at + 512; sub++) {
          expected[(int) (sub * cells / size)]++;
        }
      }
    }
    List<Long> found = map.json().at("/cells").valueStream().map(JsonNode::asLong).toList();
    assertThat(found).hasSize(cells).isEqualTo(Arrays.stream(expected).boxed().toList());
    assertThat(map.number("/bytes")).isEqualTo(ranges.stream().mapToLong(ByteRange::length).sum());
  }

  @Test
  void withoutAnotherPointAllThatIsStoredIsListed() {
    VolumeId disk = volume("disk");
    server.control.write(disk, 2 * MIB, BLOCK, 1);
    server.control.write(disk, 0, 2 * BLOCK, 1);

    Answer stored = server.get("differences?of=" + disk);

    assertThat(stored.json().at("/items")).hasSize(2);
    assertThat(stored.number("/items/0/length")).isEqualTo(2 * BLOCK);
    assertThat(stored.number("/items/1/offset")).isEqualTo(2 * MIB);
    assertThat(stored.json().get("next").isNull()).isTrue();
    assertThat(stored.json().get("sinceSize").isNull()).isTrue();
    assertThat(stored.number("/size")).isEqualTo(1L << 30);
  }

  @Test
  void pointsOfTwoFamiliesAreRefusedByTheirNames() {
    VolumeId disk = volume("disk");
    VolumeId other = volume("other");

    for (String path : List.of("differences", "differences/map")) {
      Answer answer = server.get(path + query(disk, other));
      assertProblem(answer, 409, "unrelated");
      assertThat(answer.text("/detail")).contains(disk.toString(), other.toString());
      UUID absent = UUID.randomUUID();
      Answer unknown = server.get("%s?of=%s&since=%s".formatted(path, disk, absent));
      assertProblem(unknown, 404, "not-found");
      assertThat(unknown.text("/detail")).contains(absent.toString());
    }
  }

  @Test
  void cursorsThatDoNotBelongHereAreRefused() {
    VolumeId disk = volume("disk");
    VolumeId before = snapshot(disk, "before");
    server.control.write(disk, 0, BLOCK, 1);
    server.control.write(disk, MIB, BLOCK, 1);
    String query = query(disk, before);
    String next = server.get("differences" + query + "&limit=1").text("/next");

    for (String other :
        List.of(
            "differences" + query(before, disk),
            "differences?of=" + disk,
            "differences/map" + query)) {
      Answer answer = server.get(other + "&cursor=" + next);
      assertProblem(answer, 400, "invalid-argument");
      assertThat(answer.text("/detail"))
          .contains("got one of %s since %s, ranges".formatted(disk, before));
    }
    for (String place :
        List.of(
            "",
            "x",
            "0 -4096 1 1 0",
            "0 1 1 1 0",
            "0 4096 1 1",
            "0 4096 9999999999 1 0",
            "0 99999999999999999999 1 1 0",
            "0 4096 1 1 0 ",
            "0 4096 -1 1 0")) {
      String text = "%s %s %s".formatted(disk, before, place);
      String cursor =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
      Answer answer = server.get("differences" + query + "&cursor=" + cursor);
      assertProblem(answer, 400, "invalid-argument");
      assertThat(answer.text("/target")).isEqualTo("cursor");
    }
    for (String size : List.of("0", "99999999999999")) {
      String text = "%s %s 8 4096 1 1 %s".formatted(disk, before, size);
      String cursor =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
      assertProblem(
          server.get("differences/map" + query + "&cells=8&cursor=" + cursor),
          400,
          "invalid-argument");
    }
  }

  @Test
  void aRevertBetweenTwoPartsIsSaid() {
    VolumeId disk = volume("disk");
    VolumeId before = snapshot(disk, "before");
    server.control.write(disk, 0, BLOCK, 1);
    server.control.write(disk, MIB, BLOCK, 1);
    VolumeId after = snapshot(disk, "after");
    String next = server.get("differences" + query(disk, before) + "&limit=1").text("/next");
    String fixed = server.get("differences" + query(after, before) + "&limit=1").text("/next");

    assertThat(server.post("snapshots/" + before + "/revert?wait=10s", null).status())
        .isEqualTo(200);

    Answer gone = server.get("differences" + query(disk, before) + "&cursor=" + next);
    assertProblem(gone, 409, "reverted");
    assertThat(gone.text("/detail")).contains("begin again without a cursor");
    assertThat(
            server
                .get("differences" + query(after, before) + "&cursor=" + fixed)
                .number("/items/0/offset"))
        .isEqualTo(MIB);
    assertThat(ranges(disk, before)).isEmpty();
  }

  @Test
  void parametersOutOfRangeAreRefused() {
    VolumeId disk = volume("disk");

    for (String wrong :
        List.of(
            "differences",
            "differences?of=x",
            "differences?of=" + disk + "&limit=0",
            "differences?of=" + disk + "&limit=1001",
            "differences?of=" + disk + "&limit=-1",
            "differences?of=" + disk + "&cursor=!",
            "differences/map?of=" + disk + "&cells=0",
            "differences/map?of=" + disk + "&cells=4097",
            "differences/map?of=" + disk + "&cells=many")) {
      assertProblem(server.get(wrong), 400, "invalid-argument");
    }
    assertProblem(server.get("differences?of=" + disk + "&offset=1"), 400, "unknown-parameter");
  }
}
