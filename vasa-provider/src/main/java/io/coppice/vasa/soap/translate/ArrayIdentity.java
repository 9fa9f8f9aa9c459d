package io.coppice.vasa.soap.translate;

import io.coppice.engine.StorageEngine;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.inventory.EntityIds;
import io.coppice.vasa.inventory.Inventory;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The one storage array: a pool is an array, named by the pool's id.
@Component
public final class ArrayIdentity {

  /// `EntityTypeEnum` value of an array.
  public static final String TYPE = "StorageArray";

  private final UUID pool;
  private final String id;

  public ArrayIdentity(StorageEngine engine) {
    this.pool = engine.pool().id();
    this.id = Inventory.arrayId(pool);
  }

  public String id() {
    return id;
  }

  /// `uniqueIdentifier` of one of its protocol endpoints.
  public String endpoint(int lun) {
    return Inventory.endpointId(pool, lun);
  }

  /// Checks the array for operations whose fault list lacks NotFound.
  ///
  /// @throws VasaException (InvalidArgument) if `entity` is missing or another one
  public void checkOwn(@Nullable String entity) {
    if (entity == null || !entity.strip().equalsIgnoreCase(id)) {
      throw VasaException.invalidArgument(
          "expected storage array %s, got '%s'".formatted(id, entity));
    }
  }

  /// @throws VasaException (InvalidArgument) if `array` is missing or no identifier of an array;
  ///   (NotFound) if it is another one
  public void check(@Nullable String array) {
    if (array == null || array.isBlank()) {
      throw VasaException.invalidArgument("expected the id of a storage array, got none");
    }
    EntityIds.requireWellFormed(array, TYPE);
    if (!array.equalsIgnoreCase(id)) {
      throw VasaException.notFound("expected storage array %s, got '%s'".formatted(id, array));
    }
  }
}
