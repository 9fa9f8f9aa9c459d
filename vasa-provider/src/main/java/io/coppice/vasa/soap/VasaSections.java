package io.coppice.vasa.soap;

import org.springframework.stereotype.Component;

/// The classes that [VasaEndpoint] hands its operations to, one per section of the contract.
@Component
record VasaSections(
    SessionOperations session,
    InventoryOperations inventory,
    LunOperations luns,
    StatisticsOperations statistics,
    EventOperations events,
    ContainerOperations containers,
    VolumeOperations volumes,
    SnapshotOperations snapshots,
    PolicyOperations policies,
    BindingOperations bindings,
    TaskOperations tasks) {}
