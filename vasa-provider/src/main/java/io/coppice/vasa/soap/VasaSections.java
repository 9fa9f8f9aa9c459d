package io.coppice.vasa.soap;

import io.coppice.vasa.soap.operation.BindingOperations;
import io.coppice.vasa.soap.operation.ContainerOperations;
import io.coppice.vasa.soap.operation.EventOperations;
import io.coppice.vasa.soap.operation.InventoryOperations;
import io.coppice.vasa.soap.operation.LunOperations;
import io.coppice.vasa.soap.operation.PolicyOperations;
import io.coppice.vasa.soap.operation.SessionOperations;
import io.coppice.vasa.soap.operation.SnapshotOperations;
import io.coppice.vasa.soap.operation.StatisticsOperations;
import io.coppice.vasa.soap.operation.TaskOperations;
import io.coppice.vasa.soap.operation.VolumeOperations;
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
