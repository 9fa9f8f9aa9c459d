package io.coppice.vasa.soap.operation;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.inventory.EntityIds;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.inventory.PlainLuns;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.session.VasaSession;
import io.coppice.vasa.soap.fault.Batches;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.statistics.CountedEntity;
import io.coppice.vasa.statistics.Counter;
import io.coppice.vasa.statistics.CounterChoice;
import io.coppice.vasa.statistics.Sample;
import io.coppice.vasa.statistics.Statistics;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.wsdl.service.SetStatisticsContext;
import io.coppice.wsdl.statistics.ArrayStatisticsManifest;
import io.coppice.wsdl.statistics.AssociatedStatistics;
import io.coppice.wsdl.statistics.CounterInfo;
import io.coppice.wsdl.statistics.EntityStatisticsManifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Statistics (contract §5.10): the counters offered, those that a session wants, and values.
@Component
public final class StatisticsOperations {

  private final Statistics statistics;
  private final Inventory inventory;
  private final PlainLuns luns;
  private final VirtualVolumes volumes;

  StatisticsOperations(
      Statistics statistics, Inventory inventory, PlainLuns luns, VirtualVolumes volumes) {
    this.volumes = volumes;
    this.statistics = statistics;
    this.inventory = inventory;
    this.luns = luns;
  }

  /// All counters that are offered for the types of a manifest, or for all types if it names none.
  /// Other arrays and types without counters are left out.
  public List<ArrayStatisticsManifest> queryAssociatedStatisticsManifestForArray(
      @Nullable List<ArrayStatisticsManifest> arrayStatisticsManifest) {
    List<ArrayStatisticsManifest> asked =
        Xml.all(arrayStatisticsManifest, "arrayStatisticsManifest");
    if (asked.isEmpty()) {
      throw VasaException.invalidArgument(
          "expected at least one arrayStatisticsManifest, got none");
    }
    List<ArrayStatisticsManifest> answer = new ArrayList<>();
    for (ArrayStatisticsManifest manifest : asked) {
      Set<String> types = types(manifest);
      if (isOurs(manifest)) {
        List<CounterChoice> offered =
            statistics.offered(Batches.MAX_SIZE).stream()
                .filter(choice -> types.isEmpty() || types.contains(choice.entityType()))
                .toList();
        if (!offered.isEmpty()) {
          answer.add(wire(offered));
        }
      }
    }
    return answer;
  }

  private static Set<String> types(ArrayStatisticsManifest manifest) {
    return Xml.all(manifest.getEntityStatisticsManifest(), "entityStatisticsManifest").stream()
        .map(entity -> Xml.required(entity.getEntityTypeName(), "entityTypeName"))
        .collect(Collectors.toSet());
  }

  private boolean isOurs(ArrayStatisticsManifest manifest) {
    String array = Xml.required(manifest.getArrayId(), "arrayId");
    EntityIds.requireWellFormed(array, ArrayIdentity.TYPE);
    return array.equals(inventory.array().id());
  }

  /// Replaces the session's choice; an empty one ends it.
  public void setStatisticsContext(SetStatisticsContext parameters) {
    List<CounterChoice> wanted = new ArrayList<>();
    for (ArrayStatisticsManifest manifest :
        Xml.all(parameters.getArrayStatisticsManifest(), "arrayStatisticsManifest")) {
      if (!isOurs(manifest)) {
        throw new VasaException(
            new Fault.InvalidStatisticsContext(),
            "expected counters of storage array %s, got %s"
                .formatted(inventory.array().id(), manifest.getArrayId()));
      }
      for (EntityStatisticsManifest entity :
          Xml.all(manifest.getEntityStatisticsManifest(), "entityStatisticsManifest")) {
        wanted.add(choice(entity));
      }
    }
    CurrentSession.get().chooseStatistics(statistics.choose(wanted, Batches.MAX_SIZE));
  }

  /// One entry for each existing entity that the caller may see; others are left out.
  public List<AssociatedStatistics> queryAssociatedStatisticsForEntity(
      @Nullable String entityTypeName, @Nullable List<String> entityId) {
    String name = Xml.required(entityTypeName, "entityTypeName");
    List<String> ids = Xml.all(Batches.checked(entityId, "entity id"), "entityId");
    if (!Inventory.isEntityType(name)) {
      throw VasaException.invalidArgument(
          "expected an entity type such as StorageArray, got " + name);
    }
    CountedEntity type =
        CountedEntity.ofWireName(name)
            .orElseThrow(
                () ->
                    new VasaException(
                        new Fault.InvalidStatisticsContext(),
                        "expected an entity type with counters, got " + name));
    VasaSession session = CurrentSession.get();
    List<Counter> counters = statistics.chosen(session.statistics(), type);
    return samples(type, ids, session).entrySet().stream()
        .map(entry -> wire(entry.getKey(), statistics.text(counters, entry.getValue())))
        .toList();
  }

  private Map<String, Sample> samples(CountedEntity type, List<String> ids, VasaSession session) {
    if (type != CountedEntity.VIRTUAL_VOLUME) {
      ids.forEach(id -> EntityIds.requireWellFormed(id, type.wireName()));
    }
    return switch (type) {
      case STORAGE_ARRAY ->
          ids.contains(inventory.array().id())
              ? Map.of(inventory.array().id(), statistics.ofArray())
              : Map.of();
      case STORAGE_LUN -> {
        List<String> visible = luns.ids(session);
        yield ofVolumes(
            ids.stream()
                .filter(visible::contains)
                .flatMap(id -> PlainLuns.volume(id).stream())
                .distinct()
                .toList(),
            type);
      }
      case VIRTUAL_VOLUME ->
          ofVolumes(
              volumes.find(ids.stream().map(Identifiers::volume).toList()).stream()
                  .map(VirtualVolume::id)
                  .toList(),
              type);
    };
  }

  private Map<String, Sample> ofVolumes(List<VolumeId> volumes, CountedEntity type) {
    Map<String, Sample> named = new LinkedHashMap<>();
    statistics
        .ofVolumes(volumes)
        .forEach(
            (volume, sample) ->
                named.put(
                    type == CountedEntity.STORAGE_LUN
                        ? PlainLuns.id(volume)
                        : Identifiers.text(volume),
                    sample));
    return named;
  }

  private static CounterChoice choice(EntityStatisticsManifest entity) {
    return new CounterChoice(
        Xml.required(entity.getEntityTypeName(), "entityTypeName"),
        Xml.all(entity.getCounterInfo(), "counterInfo").stream()
            .map(CounterInfo::getCounterId)
            .toList(),
        entity.getMaxRetrievalSize(),
        entity.getPollingInterval());
  }

  private ArrayStatisticsManifest wire(List<CounterChoice> offered) {
    var wire = new ArrayStatisticsManifest();
    wire.setArrayId(inventory.array().id());
    for (CounterChoice choice : offered) {
      var entity = new EntityStatisticsManifest();
      entity.setEntityTypeName(choice.entityType());
      entity.setMaxRetrievalSize(choice.entitiesPerCall());
      entity.setPollingInterval(choice.pollingSeconds());
      choice.counters().stream()
          .flatMap(id -> Counter.ofId(id).stream())
          .map(StatisticsOperations::wire)
          .forEach(entity.getCounterInfo()::add);
      wire.getEntityStatisticsManifest().add(entity);
    }
    return wire;
  }

  /// A counter in pairs whose names the contract lacks; their values are its enumerations.
  private static CounterInfo wire(Counter counter) {
    var wire = new CounterInfo();
    wire.setCounterId(counter.id());
    wire.getNameValue().add(Xml.pair("counterName", counter.wireName()));
    wire.getNameValue().add(Xml.pair("counterType", "Uint64"));
    wire.getNameValue().add(Xml.pair("counterUnit", counter.unit().wireName()));
    wire.getNameValue()
        .add(Xml.pair("counterCollectedType", counter.cumulative() ? "Cumulative" : "Absolute"));
    return wire;
  }

  private static AssociatedStatistics wire(String entity, String text) {
    var wire = new AssociatedStatistics();
    wire.setEntityId(entity);
    wire.setStatisticsString(text);
    return wire;
  }
}
