package io.coppice.vasa.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.Binding;
import io.coppice.scsi.Export;
import io.coppice.scsi.HostId;
import io.coppice.scsi.LunDirectory;
import io.coppice.scsi.ProtocolEndpoint;
import io.coppice.scsi.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// A LUN directory in memory.
final class MemoryLuns implements LunDirectory {

  private final StorageEngine engine;
  private final List<ProtocolEndpoint> endpoints =
      new ArrayList<>(List.of(new ProtocolEndpoint(1, "naa.60000000000000000000000000000001")));
  private final Map<HostId, Set<String>> hosts = new TreeMap<>();
  private final List<Binding> bindings = new ArrayList<>();
  private final Map<VolumeId, Integer> numbers = new HashMap<>();
  private final Map<VolumeId, Export> exports = new TreeMap<>();

  MemoryLuns(StorageEngine engine) {
    this.engine = engine;
  }

  @Override
  public String endpointTarget() {
    return "iqn.2026-11.io.coppice:pe";
  }

  @Override
  public String plainTarget() {
    return "iqn.2026-11.io.coppice:lun";
  }

  @Override
  public List<ProtocolEndpoint> endpoints() {
    return List.copyOf(endpoints);
  }

  @Override
  public ProtocolEndpoint addEndpoint(OperationId operation) {
    int lun = endpoints.size() + 1;
    endpoints.add(new ProtocolEndpoint(lun, "naa.6%031x".formatted(lun)));
    return endpoints.getLast();
  }

  @Override
  public void declareHost(OperationId operation, HostId host, Set<String> initiators) {
    hosts.put(host, Set.copyOf(initiators));
  }

  @Override
  public void forgetHost(OperationId operation, HostId host) {
    hosts.remove(host);
    end(binding -> binding.host().equals(host));
  }

  @Override
  public Set<String> initiatorsOf(HostId host) {
    return hosts.getOrDefault(host, Set.of());
  }

  @Override
  public void setChapSecret(OperationId operation, String initiator, Optional<String> secret) {}

  @Override
  public synchronized Binding bind(
      OperationId operation, HostId host, VolumeId volume, Set<Integer> wanted) {
    if (!hosts.containsKey(host) || engine.find(volume).isEmpty()) {
      throw new RefusedException(RefusedException.Reason.UNKNOWN, "no such host or volume");
    }
    if (exports.containsKey(volume)) {
      throw new RefusedException(RefusedException.Reason.IN_USE, volume + " is exported");
    }
    int count =
        end(b -> b.host().equals(host) && b.volume().equals(volume)).stream()
            .mapToInt(Binding::count)
            .sum();
    int number = numbers.computeIfAbsent(volume, _ -> numbers.size() + 1);
    ProtocolEndpoint endpoint =
        endpoints.stream()
            .filter(e -> wanted.isEmpty() || wanted.contains(e.lun()))
            .findFirst()
            .orElseThrow();
    Binding binding =
        new Binding(host, volume, endpoint, number, "0xd2%06x".formatted(number), count + 1);
    bindings.add(binding);
    return binding;
  }

  @Override
  public synchronized boolean unbind(OperationId operation, HostId host, VolumeId volume) {
    List<Binding> ended = end(b -> b.host().equals(host) && b.volume().equals(volume));
    for (Binding b : ended) {
      if (b.count() > 1) {
        bindings.add(
            new Binding(
                b.host(),
                b.volume(),
                b.endpoint(),
                b.subsidiary(),
                b.secondaryId(),
                b.count() - 1));
      }
    }
    return !ended.isEmpty();
  }

  @Override
  public synchronized List<Binding> unbindAll(OperationId operation, HostId host) {
    return end(binding -> binding.host().equals(host));
  }

  @Override
  public synchronized List<Binding> unbindFromAllHosts(OperationId operation, VolumeId volume) {
    return end(binding -> binding.volume().equals(volume));
  }

  private List<Binding> end(Predicate<Binding> which) {
    List<Binding> ended = bindings.stream().filter(which).toList();
    bindings.removeAll(ended);
    return ended;
  }

  @Override
  public synchronized List<Binding> bindings() {
    return List.copyOf(bindings);
  }

  @Override
  public synchronized List<Binding> bindingsOf(VolumeId volume) {
    return bindings.stream().filter(binding -> binding.volume().equals(volume)).toList();
  }

  @Override
  public Export export(
      OperationId operation,
      VolumeId volume,
      Optional<Integer> lun,
      boolean readOnly,
      Set<String> initiators) {
    Export export =
        new Export(volume, lun.orElse(exports.size()), readOnly, new TreeSet<>(initiators));
    exports.put(volume, export);
    return export;
  }

  @Override
  public boolean unexport(OperationId operation, VolumeId volume) {
    return exports.remove(volume) != null;
  }

  @Override
  public List<Export> exports() {
    return List.copyOf(exports.values());
  }

  @Override
  public Optional<Export> exportOf(VolumeId volume) {
    return Optional.ofNullable(exports.get(volume));
  }
}
