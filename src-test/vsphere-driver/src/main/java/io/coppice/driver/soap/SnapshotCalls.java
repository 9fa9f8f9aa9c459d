package io.coppice.driver.soap;

import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Snapshots, clones, reverts and differences, contract 5.8.
public final class SnapshotCalls {
  private static final String COOKIE = "ns:containerCookie";

  private final Exchange exchange;

  /// The answer to `unsharedChunksVirtualVolume`.
  public record UnsharedChunks(long chunkSizeBytes, long scannedChunks, long unsharedChunks) {}

  SnapshotCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  /// @param snapType `SnapshotReadOnly` or `SnapshotReadWrite`
  public TaskInfo prepareToSnapshotVirtualVolume(
      String vvolId, @Nullable StorageProfile profile, String snapType) {
    return exchange.one(
        "prepareToSnapshotVirtualVolume",
        TaskInfo::of,
        x -> {
          x.text("ns:vvolId", vvolId);
          StorageProfile.writeOptional(x, "ns:storageProfile", profile);
          x.absent(COOKIE).text("ns:snapType", snapType);
        });
  }

  /// Takes all prepared snapshots at once; `metadata` of each goes onto the snapshot.
  public List<BatchStatus> snapshotVirtualVolume(List<VvolInfo> prepared, long timeoutMillis) {
    return exchange.batch(
        "snapshotVirtualVolume",
        x -> {
          prepared.forEach(info -> x.element("ns:snapshotInfo", info::write));
          x.text("ns:timeoutMS", timeoutMillis).absent(COOKIE);
        });
  }

  public TaskInfo revertVirtualVolume(String vvolId, String snapshotId) {
    return exchange.one(
        "revertVirtualVolume",
        TaskInfo::of,
        x -> x.text("ns:vvolId", vvolId).text("ns:snapshotVvolId", snapshotId).absent(COOKIE));
  }

  public TaskInfo fastCloneVirtualVolume(
      String vvolId, @Nullable StorageProfile profile, Map<String, String> metadata) {
    return exchange.one(
        "fastCloneVirtualVolume",
        TaskInfo::of,
        x -> {
          x.text("ns:vvolId", vvolId);
          StorageProfile.writeOptional(x, "ns:newProfile", profile);
          Metadata.write(x, "ns:metadata", metadata);
          x.absent(COOKIE);
        });
  }

  /// @param containerId where the clone goes, null for the source's container
  public TaskInfo cloneVirtualVolume(
      String vvolId,
      @Nullable String containerId,
      @Nullable StorageProfile profile,
      Map<String, String> metadata) {
    return exchange.one(
        "cloneVirtualVolume",
        TaskInfo::of,
        x -> {
          x.text("ns:vvolId", vvolId).optional("ns:newContainerId", containerId);
          StorageProfile.writeOptional(x, "ns:newProfile", profile);
          Metadata.write(x, "ns:metadata", metadata);
          x.absent(COOKIE);
        });
  }

  public TaskInfo copyDiffsToVirtualVolume(String source, String base, String destination) {
    return exchange.one(
        "copyDiffsToVirtualVolume",
        TaskInfo::of,
        x ->
            x.text("ns:srcVVolId", source)
                .text("ns:srcBaseVVolId", base)
                .text("ns:dstVVolId", destination)
                .absent(COOKIE));
  }

  /// Counts chunks that differ from `base`, null for the parent. The segment is in bytes.
  public UnsharedChunks unsharedChunksVirtualVolume(
      String vvolId, @Nullable String base, long start, long length) {
    Xml result =
        exchange
            .ask(
                "unsharedChunksVirtualVolume",
                x ->
                    x.text("ns:vvolId", vvolId)
                        .optional("ns:baseVvolId", base)
                        .text("ns:segmentStartOffsetBytes", start)
                        .text("ns:segmentLengthBytes", length))
            .one("ns:return");
    return new UnsharedChunks(
        result.number("vvol:chunkSizeBytes"),
        result.number("vvol:scannedChunks"),
        result.number("vvol:unsharedChunks"));
  }

  /// Chunks that differ from `base`, least significant bit first.
  public BitSet unsharedBitmapVirtualVolume(
      String vvolId, String base, long start, long length, long chunkBytes) {
    return bitmap(
        exchange.ask(
            "unsharedBitmapVirtualVolume",
            x -> {
              x.text("ns:vvolId", vvolId).text("ns:baseVvolId", base);
              segment(x, start, length, chunkBytes);
            }));
  }

  /// Chunks that hold data, least significant bit first.
  public BitSet allocatedBitmapVirtualVolume(
      String vvolId, long start, long length, long chunkBytes) {
    return bitmap(
        exchange.ask(
            "allocatedBitmapVirtualVolume",
            x -> {
              x.text("ns:vvolId", vvolId);
              segment(x, start, length, chunkBytes);
            }));
  }

  private static void segment(XmlText x, long start, long length, long chunkBytes) {
    x.text("ns:segmentStartOffsetBytes", start)
        .text("ns:segmentLengthBytes", length)
        .text("ns:chunkSizeBytes", chunkBytes);
  }

  private static BitSet bitmap(Xml reply) {
    String text = reply.required("ns:return/vvol:chunkBitmap");
    return BitSet.valueOf(Base64.getMimeDecoder().decode(text));
  }
}
