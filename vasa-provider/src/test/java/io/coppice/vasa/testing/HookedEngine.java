package io.coppice.vasa.testing;

import io.coppice.engine.Journals;
import io.coppice.engine.StorageEngine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/// Runs hooks around the calls of an engine, and of its journals as `journals.keep`: to end the
/// process in the middle of an operation, or to take the database away.
public final class HookedEngine {

  private final StorageEngine engine;
  private final Map<String, Runnable> before = new HashMap<>();
  private final Map<String, Runnable> after = new HashMap<>();

  public HookedEngine(StorageEngine engine) {
    this.engine = engine;
  }

  /// The end of the process, as the code that is cut short sees it.
  public static final class ProcessEnded extends Error {
    private static final long serialVersionUID = 1L;
  }

  /// The engine with the hooks.
  public StorageEngine engine() {
    return (StorageEngine)
        Proxy.newProxyInstance(
            StorageEngine.class.getClassLoader(),
            new Class<?>[] {StorageEngine.class},
            (_, method, arguments) -> call(method, arguments));
  }

  public void before(String method, Runnable hook) {
    before.put(method, hook);
  }

  public void after(String method, Runnable hook) {
    after.put(method, hook);
  }

  /// Ends the process when `method` is called, before or after it took effect.
  public void endProcess(String method, boolean afterEffect) {
    (afterEffect ? after : before)
        .put(
            method,
            () -> {
              throw new ProcessEnded();
            });
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    Object result = call(engine, method.getName(), method, arguments);
    return result instanceof Journals journals ? hooked(journals) : result;
  }

  private Journals hooked(Journals journals) {
    return (Journals)
        Proxy.newProxyInstance(
            Journals.class.getClassLoader(),
            new Class<?>[] {Journals.class},
            (_, method, arguments) ->
                call(journals, "journals." + method.getName(), method, arguments));
  }

  private Object call(Object target, String name, Method method, Object[] arguments)
      throws Throwable {
    before.getOrDefault(name, () -> {}).run();
    try {
      Object result = method.invoke(target, arguments);
      after.getOrDefault(name, () -> {}).run();
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
