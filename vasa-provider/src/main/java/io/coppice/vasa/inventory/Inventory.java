package io.coppice.vasa.inventory;

import io.coppice.vasa.fault.VasaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The array and its parts. Immutable apart from what other sources list.
public final class Inventory {

  /// `EntityTypeEnum` (VASA 2.0).
  private static final List<String> ENTITY_TYPES =
      List.of(
          "StorageArray",
          "StorageProcessor",
          "StoragePort",
          "StorageLun",
          "StorageFileSystem",
          "StorageCapability",
          "StorageCapabilitySchema",
          "CapabilitySchema",
          "CapabilityProfile",
          "DefaultProfile",
          "ResourceAssociation",
          "StorageContainer",
          "StorageObject",
          "MessageCatalog",
          "ProtocolEndpoint",
          "VirtualVolumeInfo",
          "BackingStoragePool");

  private final Array array;
  private final Processor processor;
  private final List<Port> ports;
  private final Map<String, EntityListing> listings = new HashMap<>();

  /// @param pool the pool that the array is
  /// @param name that of the machine, shown beside the product's
  /// @param version of the software
  /// @param targets iSCSI names of its targets
  /// @param others sources of entities of other types
  public Inventory(
      UUID pool, String name, String version, List<String> targets, List<EntityListing> others) {
    this.array = new Array(arrayId(pool), name, version);
    this.processor = new Processor(processorId(pool), name);
    this.ports = targets.stream().map(target -> new Port("StoragePort:" + target, target)).toList();
    Stream.concat(
            Stream.of(
                new EntityListing("StorageArray", () -> List.of(array.id())),
                new EntityListing("StorageProcessor", () -> List.of(processor.id())),
                new EntityListing("StoragePort", () -> ports.stream().map(Port::id).toList())),
            others.stream())
        .forEach(listing -> listings.put(listing.entityType(), listing));
  }

  /// One array: a pool.
  public record Array(String id, String name, String version) {}

  /// Its one processor: this process.
  public record Processor(String id, String name) {}

  /// An iSCSI target.
  public record Port(String id, String iscsiName) {}

  /// A source of the identifiers of a type.
  ///
  /// @param entityType `EntityTypeEnum` value
  /// @param number of the identifiers, counted at less cost than the identifiers themselves
  public record EntityListing(
      String entityType, Supplier<List<String>> ids, Supplier<Integer> number) {

    public EntityListing(String entityType, Supplier<List<String>> ids) {
      this(entityType, ids, () -> ids.get().size());
    }
  }

  /// The id of the array's one processor.
  public static String processorId(UUID pool) {
    return "StorageProcessor:" + pool;
  }

  /// Identifier of the array that a pool is.
  public static String arrayId(UUID pool) {
    return "StorageArray:" + pool;
  }

  /// Identifier of the one backing storage pool of the array that a pool is.
  public static String backingPoolId(UUID pool) {
    return "BackingStoragePool:" + pool;
  }

  /// Identifier of a protocol endpoint of the array that a pool is.
  public static String endpointId(UUID pool, int lun) {
    return pool + ":ProtocolEndpoint:" + lun;
  }

  public Array array() {
    return array;
  }

  /// @throws VasaException (NotFound) if it is another array
  public void requireArray(String id) {
    if (!id.equals(array.id())) {
      throw VasaException.notFound("there is no storage array " + id);
    }
  }

  public Processor processor() {
    return processor;
  }

  public List<Port> ports() {
    return ports;
  }

  /// Whether the contract has entities of this type.
  public static boolean isEntityType(String name) {
    return ENTITY_TYPES.contains(name);
  }

  /// Identifiers of a type; empty for types without an entity here.
  ///
  /// @throws VasaException (InvalidArgument) if there is no such type
  public List<String> identifiers(String entityType) {
    return listing(entityType).ids().get();
  }

  /// How many [#identifiers] there are.
  ///
  /// @throws VasaException (InvalidArgument) if there is no such type
  public int count(String entityType) {
    return listing(entityType).number().get();
  }

  private EntityListing listing(String entityType) {
    if (!isEntityType(entityType)) {
      throw VasaException.invalidArgument(
          "expected an entity type such as StorageArray, got " + entityType);
    }
    return listings.getOrDefault(entityType, new EntityListing(entityType, List::of));
  }
}
