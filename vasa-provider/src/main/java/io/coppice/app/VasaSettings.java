package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.vasa.alarm.AlarmSettings;
import io.coppice.vasa.binding.BindingChangeSettings;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.export.temporary.TemporarySettings;
import io.coppice.vasa.housekeeping.OrphanSettings;
import io.coppice.vasa.protection.continuous.ContinuousSettings;
import io.coppice.vasa.protection.rule.RuleLimits;
import io.coppice.vasa.session.SessionLimits;
import io.coppice.vasa.statistics.StatisticsSettings;
import io.coppice.vasa.task.TaskSettings;
import io.coppice.vasa.time.ClockSettings;
import io.coppice.vasa.volume.copy.CopySettings;
import io.coppice.vasa.volume.snapshot.SnapshotSettings;
import io.coppice.vasa.volume.store.LockSettings;
import java.util.function.Function;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.core.env.Environment;

/// The settings of `coppice.vasa` that features ask for, each a bean of its own.
final class VasaSettings implements BeanRegistrar {

  @Override
  public void register(BeanRegistry beans, Environment environment) {
    add(beans, SessionLimits.class, CoppiceProperties.Vasa::sessions);
    add(beans, EventSettings.class, CoppiceProperties.Vasa::events);
    add(beans, AlarmSettings.class, CoppiceProperties.Vasa::alarms);
    add(beans, StatisticsSettings.class, CoppiceProperties.Vasa::statistics);
    add(beans, BindingChangeSettings.class, CoppiceProperties.Vasa::bindingChange);
    add(beans, ClockSettings.class, CoppiceProperties.Vasa::clock);
    add(beans, RuleLimits.class, vasa -> vasa.protection().limits());
    add(beans, ContinuousSettings.class, vasa -> vasa.protection().continuous());
    add(beans, TemporarySettings.class, CoppiceProperties.Vasa::temporaryExports);
    add(beans, OrphanSettings.class, CoppiceProperties.Vasa::orphans);
    add(beans, CopySettings.class, vasa -> new CopySettings(vasa.tasks().copyInCall().toBytes()));
    add(beans, TaskSettings.class, vasa -> new TaskSettings(vasa.tasks().kept()));
    add(beans, LockSettings.class, vasa -> new LockSettings(vasa.tasks().volumePatience()));
    add(
        beans,
        SnapshotSettings.class,
        vasa ->
            new SnapshotSettings(
                vasa.tasks().preparedSnapshotsKept(), vasa.tasks().preparedSnapshotsLifetime()));
  }

  private static <T> void add(
      BeanRegistry beans, Class<T> type, Function<CoppiceProperties.Vasa, T> part) {
    beans.registerBean(
        type,
        bean -> bean.supplier(context -> part.apply(context.bean(CoppiceProperties.class).vasa())));
  }
}
